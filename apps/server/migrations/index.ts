import type { MigrationList } from '../src/platform/db/types.ts';
import { meta } from './app/0001-meta.ts';
import { uptime } from './app/0002-uptime.ts';
import { auth } from './app/0003-auth.ts';
import { audit } from './app/0004-audit.ts';
import { settings } from './app/0005-settings.ts';
import { idempotency } from './app/0006-idempotency.ts';
import { clientErrors } from './app/0007-client-errors.ts';
import { requestTotals } from './app/0008-request-totals.ts';
import { keys } from './app/0009-keys.ts';
import { quotaUsed } from './app/0010-quota-used.ts';
import { oneRecordOfRequests } from './app/0011-one-record-of-requests.ts';
import { alerts } from './log/0001-alerts.ts';
import { ingest } from './log/0002-ingest.ts';
import { places } from './log/0003-places.ts';
import { ingestStatus } from './log/0004-ingest-status.ts';
import { eventFacts } from './log/0005-event-facts.ts';
import { imports } from './log/0006-imports.ts';
import { eventsEnded } from './log/0007-events-ended.ts';
import { importAreas } from './log/0008-import-areas.ts';
import { knownParts } from './log/0009-known-parts.ts';
import { eventsByKind } from './log/0010-events-by-kind.ts';
import { usage } from './usage/0001-usage.ts';
import { requestIndexes } from './usage/0002-request-indexes.ts';
import { accountTotals } from './usage/0003-account-totals.ts';
import { visitorFigures } from './usage/0004-visitor-figures.ts';
import { visitsOverMidnight } from './usage/0005-visits-over-midnight.ts';
import { goneAccounts } from './usage/0006-gone-accounts.ts';

/** Every step ever released, in order, per part. A landed step is never edited: write the next one. */
export const MIGRATIONS: MigrationList = {
  app: {
    '0001-meta': meta,
    '0002-uptime': uptime,
    '0003-auth': auth,
    '0004-audit': audit,
    '0005-settings': settings,
    '0006-idempotency': idempotency,
    '0007-client-errors': clientErrors,
    '0008-request-totals': requestTotals,
    '0009-keys': keys,
    '0010-quota-used': quotaUsed,
    '0011-one-record-of-requests': oneRecordOfRequests,
  },
  log: {
    '0001-alerts': alerts,
    '0002-ingest': ingest,
    '0003-places': places,
    '0004-ingest-status': ingestStatus,
    '0005-event-facts': eventFacts,
    '0006-imports': imports,
    '0007-events-ended': eventsEnded,
    '0008-import-areas': importAreas,
    '0009-known-parts': knownParts,
    '0010-events-by-kind': eventsByKind,
  },
  usage: {
    '0001-usage': usage,
    '0002-request-indexes': requestIndexes,
    '0003-account-totals': accountTotals,
    '0004-visitor-figures': visitorFigures,
    '0005-visits-over-midnight': visitsOverMidnight,
    '0006-gone-accounts': goneAccounts,
  },
};
