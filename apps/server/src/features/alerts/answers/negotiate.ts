import type { AlertFormat } from '../format-hook.ts';
import { AppError } from '../../../platform/app-error.ts';

const MEDIA: Record<AlertFormat, string> = {
  json: 'application/json',
  geojson: 'application/geo+json',
  cap: 'application/cap+xml',
  atom: 'application/atom+xml',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** `format=` wins; else the first format the Accept header takes, in its order of preference; else 406. */
export function negotiate(format: AlertFormat | undefined, accept: string | undefined, offered: readonly AlertFormat[]): AlertFormat {
  if (format !== undefined) {
    if (offered.includes(format)) return format;
    throw new AppError('request.not_acceptable', { public: `format=${format} is not offered here. Offered: ${offered.join(', ')}.` });
  }
  if (accept === undefined || accept.trim() === '') return 'json';
  for (const range of rangesOf(accept)) {
    const found = offered.find((name) => covers(range, MEDIA[name]));
    if (found) return found;
  }
  throw new AppError('request.not_acceptable', {
    public: `None of the accepted media types is offered. Offered: ${offered.map((name) => MEDIA[name]).join(', ')}.`,
  });
}

/** Media ranges, most wanted first; `q=0` is a refusal. Browsers ask for HTML first and take anything: they get JSON. */
function rangesOf(accept: string): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .slice(0, 30)
    .map((part, index) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return { type, index, q: q === undefined ? 1 : Number(q.slice(2)) };
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.index - b.index)
    .map(({ type }) => type);
}

function covers(range: string, media: string): boolean {
  return range === '*/*' || range === media || (range.endsWith('/*') && media.startsWith(range.slice(0, -1)));
}
