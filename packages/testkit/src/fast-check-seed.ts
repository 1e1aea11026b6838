import { configureGlobal } from 'fast-check';

/**
 * Property tests of the everyday run play the same cases each time, so that a change is judged by itself; NWMS_SEED=<number> plays others, and
 * the chaos runs (NWMS_CHAOS=1) new ones each time. fast-check prints the seed of a failure.
 */
const asked = process.env['NWMS_SEED'];
if (asked !== undefined) configureGlobal({ seed: Number(asked) });
else if (process.env['NWMS_CHAOS'] !== '1') configureGlobal({ seed: 20_261_121 });
