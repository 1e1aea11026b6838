export * from './rows.ts';
export { archiveTime, VTEC_SINCE } from './fields.ts';
export { COLUMNS_OF, readRow, STORM_BASED_SINCE } from './read-row.ts';
export { type ArchivedLife, groupKeyOf, isOneLife, livesOf } from './lives.ts';
export { type ArchiveContext, type ArchivedMessage, messageOfStatement, messagesOfLife } from './archive-messages.ts';
export { renamed, type ReplayedLife, replayHistory } from './replay-history.ts';
export { codesOfEvent, type CoverageScope, type ImportedSpan, importedSpans, type Placing, PLACINGS } from './import-coverage.ts';
