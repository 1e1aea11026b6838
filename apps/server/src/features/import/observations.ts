import { ARCHIVE_KINDS, type ArchiveKind, COLUMNS_OF } from '@nwms/domain';
import { RefusedFile } from './refused-file.ts';

/** Archives of what happened, not of what was warned of: names somebody may ask for, and columns that give them away. */
const OBSERVATIONS: readonly { names: readonly string[]; what: string; columns: readonly string[] }[] = [
  { names: ['lsr', 'reports', 'storm-reports'], what: 'Local storm reports', columns: ['typetext', 'magnitude'] },
  { names: ['storm-events', 'stormevents', 'ncei'], what: 'Rows of the Storm Events database', columns: ['EPISODE_ID', 'EVENT_TYPE'] },
  { names: ['tornado', 'tornadoes', 'tornado-tracks'], what: 'Tornado tracks', columns: ['om', 'yr', 'slat', 'slon'] },
  { names: ['hail', 'hail-reports'], what: 'Hail reports', columns: ['ev'] },
];

const notAlerts = (what: string) =>
  new RefusedFile(`${what} are observations of what happened, not alerts: they cannot become history of alerts and are not imported here.`);

/** The kind named on the command line. @throws RefusedFile with what there is */
export function kindNamed(name: string): ArchiveKind {
  const found = ARCHIVE_KINDS.find((kind) => kind === name.toLowerCase());
  if (found) return found;
  const observations = OBSERVATIONS.find(({ names }) => names.includes(name.toLowerCase()));
  if (observations) throw notAlerts(observations.what);
  throw new RefusedFile(`"${name}" is no source. Give one of ${ARCHIVE_KINDS.join(', ')}; npm run import -- --help says what they are.`);
}

/** Whether a file with these columns is what was asked for. @throws RefusedFile that says what it is instead */
export function assertKind(kind: ArchiveKind, columns: ReadonlySet<string>): void {
  const missing = COLUMNS_OF[kind].filter((name) => !columns.has(name));
  if (missing.length === 0) return;
  const observations = OBSERVATIONS.find((each) => each.columns.every((name) => columns.has(name)));
  if (observations) throw notAlerts(observations.what);
  const other = ARCHIVE_KINDS.find((each) => COLUMNS_OF[each].every((name) => columns.has(name)));
  if (other) throw new RefusedFile(`This file is not of the source "${kind}" but of "${other}": npm run import -- ${other} <file>.`);
  const names = missing.length === 1 ? `the column ${missing[0]}` : `the columns ${missing.join(', ')}`;
  throw new RefusedFile(`This file cannot be of the source "${kind}": it lacks ${names}.`);
}
