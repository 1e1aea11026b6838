import { buildServer } from './build-server.ts';

/** Before browser tests: they play the server as built, which must be the one of these sources. Pages are built by `npm run build`. */
export const setup = buildServer;
