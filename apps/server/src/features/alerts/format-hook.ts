import type { alerts, Freshness, QueryOf } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import type { Raw } from '../../platform/http/serve.ts';
import type { Row } from './board/row.ts';
import type { AlertArchive } from './types.ts';
import type { MessageLookup } from './alert-area.ts';

export type AlertFormat = NonNullable<QueryOf<typeof alerts.listAlerts>['format']>;

/** What a format other than JSON is made of. */
export interface FormatInput {
  /** Rows of the page, sorted; of one alert: that row. */
  rows: readonly Row[];
  /** Every matching row, sorted, a piece at a time: for formats without pages (csv, ndjson). */
  allRows(): AsyncIterable<readonly Row[]>;
  total: number;
  totalExact: boolean;
  nextCursor: string | null;
  /** Members of the JSON answer besides `alerts` and `freshness`, for formats that repeat them. */
  members: Record<string, unknown>;
  freshness: Freshness;
  /** Set when one alert was asked for. */
  single: boolean;
  activeOnly: boolean;
  request: FastifyRequest;
  signal: AbortSignal;
  message: MessageLookup;
  archive: AlertArchive;
}

/** Writers of the formats of alerts besides JSON; what is missing answers 406. */
export type Formats = Partial<Record<Exclude<AlertFormat, 'json'>, (input: FormatInput) => Raw | Promise<Raw>>>;
