import type { Language } from '@nwms/contract/code-examples';
import { exampleCallOf, type Reference } from '@nwms/contract/read-reference';
import { Link } from '@tanstack/react-router';
import { CodeBlock } from './code-block.tsx';
import { CodeExamples } from './code-examples.tsx';
import { Code, Guide, Terms, Text } from './guide-parts.tsx';

export interface GuideProps {
  reference: Reference;
  origin: string;
  lang: Language;
  onLang: (lang: Language) => void;
  limits: GuideLimits | null;
}

/** Limits as this server and account have them; null: not asked yet. */
export interface GuideLimits {
  anonymousPerMinute: number;
  newKey: { per_minute: number; per_day: number; per_month: number };
}

const grouped = (figure: number) => figure.toLocaleString('en-US');

/** From nothing to a right answer. */
export function QuickStart({ reference, origin, lang, onLang, limits }: GuideProps) {
  const list = reference.operations.find(({ operation }) => operation === 'listAlerts');
  return (
    <Guide title="Quick start">
      <Text>
        <strong>1. Make a key</strong> on the tab{' '}
        <Link to="/api-keys" className="font-medium text-accent hover:underline">
          API keys
        </Link>
        , copy it while it is shown and keep it where your program finds it: <Code>export NWMS_API_KEY=nws_...</Code> To look around, no key
        is needed{limits ? `: the public calls answer ${grouped(limits.anonymousPerMinute)} times a minute` : ''}.
      </Text>
      <Text>
        <strong>2. Ask.</strong> The most dangerous alerts in force, worst first; put the key into the header <Code>X-API-Key</Code> to use
        its limits:
      </Text>
      {list ? <CodeExamples call={{ ...exampleCallOf(list, origin), credential: 'key' }} lang={lang} onLang={onLang} /> : null}
      <Text>
        <strong>3. Read how fresh the answer is</strong> before you conclude anything. An empty list means “no alerts” only while{' '}
        <Code>freshness.status</Code> is <Code>live</Code>. With <Code>stale</Code> or <Code>unknown</Code> nobody can tell; with{' '}
        <Code>simulated</Code> it is exercise weather.
      </Text>
      <Text>
        <strong>4. Stay up to date</strong> with the live feed instead of asking again and again: section “Live feed”.
      </Text>
    </Guide>
  );
}

export function Access({ limits }: Pick<GuideProps, 'limits'>) {
  const newKey = limits?.newKey;
  return (
    <Guide title="Access and limits">
      <Text>
        API keys cover the public endpoints. Admin endpoints need the token of a web login; an API key is refused there, an administrator’s
        key too.
      </Text>
      <Terms
        rows={[
          [
            'No key',
            `Health, ticker, event types; alerts, live feed and playback${limits ? ` at ${grouped(limits.anonymousPerMinute)} units per minute and address` : ''}.`,
          ],
          ['API key', 'Header X-API-Key, or Authorization: Bearer nws_... Never in an address: those end up in logs.'],
          ['Web login', 'Authorization: Bearer and the access token. Your account, your keys; everything a key may do too.'],
          [
            'Special access',
            'AI, weather intelligence and ML with an API key need an account with special access. Contact admin for access.',
          ],
          ['Admin login', 'Administration and usage analytics: the web login of an administrator.'],
        ]}
      />
      <h3 className="text-sm font-semibold">Limits</h3>
      <Terms
        rows={[
          [
            'Windows',
            'The UTC minute, day and month. A request has to fit in all windows of its key and of its account, or takes nothing.',
          ],
          [
            'New keys',
            newKey
              ? `${grouped(newKey.per_minute)} per minute, ${grouped(newKey.per_day)} per day, ${grouped(newKey.per_month)} per month unless you choose others, up to those of your account.`
              : 'What you choose, up to the limits of your account.',
          ],
          ['Costs', 'Most calls cost 1 unit. History costs 2, large tables 5. Answers 304 and refusals cost nothing.'],
          [
            <Code key="a">RateLimit</Code>,
            'On every metered answer: the window with the fewest units left, and seconds until it begins anew.',
          ],
          [<Code key="b">RateLimit-Policy</Code>, 'All windows that hold for you.'],
          [<Code key="c">NWMS-Cost</Code>, 'What this call cost when it was not 1.'],
          [<Code key="d">Retry-After</Code>, 'On 429 and 503: seconds to wait. Never earlier.'],
          [<Code key="e">GET /limits</Code>, 'Tells the same as JSON and costs nothing.'],
        ]}
      />
    </Guide>
  );
}

/** What every answer has in common, and one that went wrong. */
export function Responses({ reference }: { reference: Reference }) {
  const example = (name: string): string => {
    const found = reference.operations.find(({ operation }) => operation === name);
    return JSON.stringify(found?.answer.example ?? null, null, 2);
  };
  return (
    <Guide title="Response examples">
      <Text>
        Every documented member is always there; what is not known is <Code>null</Code>, never 0 and never missing. Ignore members you do
        not know. Each endpoint below shows an example of its own.
      </Text>
      <h3 className="text-sm font-semibold">Counts</h3>
      <CodeBlock text={example('alertStats')} label="Example answer of GET /alerts/stats" />
      <h3 className="text-sm font-semibold">A list of alerts</h3>
      <CodeBlock text={example('listAlerts')} label="Example answer of GET /alerts" />
      <h3 className="text-sm font-semibold">A refusal</h3>
      <CodeBlock text={JSON.stringify(REFUSAL, null, 2)} label="Example of an error" />
    </Guide>
  );
}

export const REFUSAL = {
  error: 'request.unknown_parameter',
  message: 'Unknown parameter',
  detail: 'state is not a parameter here. Use ugc=IA for a state, or lifecycle= for the state of an alert.',
  request_id: 'req_7q2m4x3k2v5t6r3n6p2w',
  timestamp: '2026-11-21T18:00:00.000Z',
  fields: [
    {
      name: 'state',
      reason: 'unknown',
      message: 'state is not a parameter here. Use ugc=IA for a state, or lifecycle= for the state of an alert.',
    },
  ],
  type: '/docs/errors#request.unknown_parameter',
  title: 'Unknown parameter',
  status: 400,
};
