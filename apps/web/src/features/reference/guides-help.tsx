import type { Reference } from '@nwms/contract/read-reference';
import { CodeBlock } from './code-block.tsx';
import { Code, Guide, Terms, Text } from './guide-parts.tsx';
import { REFUSAL } from './guides-start.tsx';

/** DOCS-07, DOCS-08. */
export function Validation() {
  return (
    <Guide title="Parameter validation">
      <Text>
        Nothing is guessed and nothing is ignored: an unknown name or a value out of bounds is 400, and the answer names every fault in{' '}
        <Code>fields</Code>. So a typing error never looks like “no alerts”.
      </Text>
      <Terms
        rows={[
          ['Alerts', <span key="a">event, severity, active_only, limit, offset, order_by, and more: see GET /alerts</span>],
          ['Near', 'lat, lon, radius_km (25 unless said, at most 500), active_only'],
          ['Within', 'bbox (west, south, east, north) or polygon (lon,lat;lon,lat;...), active_only'],
          [
            'Not supported',
            'state, country, zip and urgency are not parameters. For a state use ugc=IA, for a place lat and lon, for a time of life lifecycle.',
          ],
          ['Lists', 'By commas or repeated: severity=Extreme,Severe. At most 50 values.'],
          ['true and false', 'In these words. An empty value counts as not sent.'],
          ['Instants', 'RFC 3339 with any offset, or YYYY-MM-DD for that UTC midnight. Ranges begin with from and end before to.'],
          ['Positions', 'Degrees, WGS 84: lat 41.59, lon -93.62. In lists of positions longitude comes first, as in GeoJSON.'],
          ['limit', 'At most 1,000 for alerts. More is refused, not cut; go on with next_cursor.'],
          [
            'Event names',
            'As the weather service writes them, any case: event=Tornado Warning. An unknown one is answered with the warning event_unknown.',
          ],
        ]}
      />
    </Guide>
  );
}

/** DOCS-09. */
export function Errors({ reference }: { reference: Reference }) {
  return (
    <Guide title="Errors">
      <Text>
        Errors are <Code>application/problem+json</Code>. <Code>error</Code> is the stable code to decide by, <Code>message</Code> its
        title, <Code>detail</Code> what was wrong this time; <Code>request_id</Code> and <Code>timestamp</Code> find the request in the
        logs.
      </Text>
      <CodeBlock text={JSON.stringify(REFUSAL, null, 2)} label="Example of an error" />
      <Terms
        rows={[
          [
            '401 Authentication failed',
            'The credential is missing, wrong, expired or switched off. Another try with the same one does not help.',
          ],
          ['403 Access denied', 'The credential is good, and not enough for this call.'],
          ['429 Rate limit exceeded', 'A window is used up. Wait as long as Retry-After says.'],
          ['500 Internal server error', 'An error of ours. Try again once, later; give the request_id when you report it.'],
          ['503 Service temporarily unavailable', 'Too busy, starting or stopping. Wait as long as Retry-After says.'],
        ]}
      />
      <details>
        <summary className="target flex w-fit cursor-pointer items-center text-sm font-medium text-accent">Every code</summary>
        <Terms
          rows={Object.entries(reference.errors).map(([code, row]) => [
            <code key={code} className="font-mono text-[13px] break-all">
              {code}
            </code>,
            `${row.status}. ${row.help}`,
          ])}
        />
      </details>
    </Guide>
  );
}

export function Practices() {
  return (
    <Guide title="Best practices">
      <Terms
        rows={[
          [
            'Take the live feed',
            'One connection tells every change within a second and costs less than asking. The SDK resumes it without gaps.',
          ],
          [
            'Ask at most every 30 s',
            'Where you must ask again and again, once in 30 seconds is enough: alerts change no faster than they are collected.',
          ],
          [
            'Send If-None-Match',
            'Keep the ETag of an answer and send it along. Unchanged is 304: no body, no cost. The SDK does it by itself.',
          ],
          [
            'Back off',
            'After 429 and 503 wait as long as Retry-After says; after no answer 1 s, 2 s, 4 s and so on to 30 s, each a little by chance.',
          ],
          [
            'Say “none” only when it is known',
            'Check freshness before you tell people that there are no alerts. Show when the data is from.',
          ],
          ['Ask for less', 'detail=slim leaves out texts and shapes; limit and filters do the rest.'],
          ['Repeat safely', 'POSTs that create take an Idempotency-Key: the same key is one effect, however often it is sent.'],
          [
            'Keep keys secret',
            'In the environment, one per program, with an expiry. Not in pages, repositories or addresses. Refresh one that may have been seen.',
          ],
          ['Official words first', 'Show instruction and headline as they are. Never shorten a warning so that it says less.'],
        ]}
      />
    </Guide>
  );
}

export function Troubleshooting() {
  return (
    <Guide title="Troubleshooting">
      <Terms
        rows={[
          [
            '401 with a key that worked',
            'It was deleted, refreshed, switched off or has expired, or its account is switched off. The code says which.',
          ],
          ['401 on a call that needs no key', 'A credential that is sent is always checked. Send a good one or none.'],
          [
            '403 with a good key',
            'Account, keys and administration need a web login; AI and ML need special access. Contact admin for access.',
          ],
          ['429 although the key has units left', 'The account’s windows count all keys together. GET /limits shows both.'],
          ['400 for a parameter that looks right', 'detail names the nearest known name, fields the allowed values.'],
          [
            'An empty list',
            'Read freshness and warnings: stale data, an unknown event name or a place outside of the coverage are told there.',
          ],
          ['Alerts seem to be twice', 'The list has one row per event. view=messages shows every message of it.'],
          [
            '410 from changes or stream',
            'The position is too old or of another log. Load the list again and go on from its position.cursor.',
          ],
          [
            'A page of yours gets no answer',
            'Browsers ask for permission across sites: an administrator lists your origin in the settings. Never put a key into a public page.',
          ],
          ['It is something else', 'Look at /health, then report the request_id.'],
        ]}
      />
    </Guide>
  );
}
