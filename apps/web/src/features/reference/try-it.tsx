import type { ExampleCall } from '@nwms/contract/code-examples';
import { exampleCallOf, type Filling, type ReferenceOperation, type ReferenceParameter } from '@nwms/contract/read-reference';
import { Send } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { CONTROL, TextAreaField, TextField } from '../../ui/field.tsx';
import { ask, type Asked, keyFault, type Means } from './ask.ts';
import { CodeBlock } from './code-block.tsx';
import { choicesOf, typedOf, typeWords, valueOf } from './schema-words.ts';

/** What somebody typed, by parameter; the body as text. */
export interface Typed {
  values: Readonly<Record<string, string>>;
  body: string;
}
export const typedFrom = (filling: Filling): Typed => ({
  values: Object.fromEntries(
    [...Object.entries(filling.params), ...Object.entries(filling.query)].map(([name, value]) => [name, typedOf(value)]),
  ),
  body: filling.body === undefined ? '' : JSON.stringify(filling.body, null, 2),
});

/** The request as it stands in the form; null while the body is not JSON. */
export function callFrom(operation: ReferenceOperation, origin: string, typed: Typed): ExampleCall | null {
  const filled = operation.parameters.filter(({ name }) => (typed.values[name] ?? '') !== '');
  const params = filled.filter((one) => one.in === 'path').map(({ name }) => [name, typed.values[name] ?? '']);
  const query = filled.filter((one) => one.in === 'query').map(({ name, schema }) => [name, valueOf(schema, typed.values[name] ?? '')]);
  let body: unknown;
  try {
    body = operation.body ? JSON.parse(typed.body) : undefined;
  } catch {
    return null;
  }
  return exampleCallOf(operation, origin, { params: Object.fromEntries(params), query: Object.fromEntries(query), body });
}

export interface Credentials {
  means: Means;
  /** Pasted key; lives as long as the reference is open and is kept nowhere. */
  key: string;
}
export interface TryItProps {
  operation: ReferenceOperation;
  typed: Typed;
  onTyped: (typed: Typed) => void;
  call: ExampleCall | null;
  credentials: Credentials;
  onCredentials: (credentials: Credentials) => void;
}

const MEANS: readonly { value: Means; label: string }[] = [
  { value: 'session', label: 'Your session' },
  { value: 'key', label: 'An API key' },
  { value: 'none', label: 'Nothing' },
];

/** A real request from this page, and its real answer. Only for what changes nothing. */
export function TryIt({ operation, typed, onTyped, call, credentials, onCredentials }: TryItProps) {
  const { session } = useServices();
  const [result, setResult] = useState<{ asked: Asked } | { failure: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = async () => {
    if (!call) return;
    running.current?.abort();
    const fault = credentials.means === 'key' ? keyFault(credentials.key) : null;
    if (fault) return setResult({ failure: fault });
    const abort = new AbortController();
    running.current = abort;
    setBusy(true);
    const credential = { session: session.token(), key: credentials.key.trim(), none: null }[credentials.means];
    try {
      const asked = await ask(call, credential, { fetch: window.fetch.bind(window), now: () => performance.now(), signal: abort.signal });
      setResult({ asked });
    } catch {
      if (!abort.signal.aborted) setResult({ failure: 'No answer: the server cannot be reached.' });
    } finally {
      if (running.current === abort) setBusy(false);
    }
  };
  const set = (name: string, value: string) => onTyped({ ...typed, values: { ...typed.values, [name]: value } });
  const isShown = ({ name, required }: ReferenceParameter) => required || (typed.values[name] ?? '') !== '';
  const [first] = useState(() => new Set(operation.parameters.filter(isShown).map(({ name }) => name)));
  const more = operation.parameters.filter(({ name }) => !first.has(name));
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <ChoiceField
          label="Sent with"
          name={`means-${operation.operation}`}
          value={credentials.means}
          options={MEANS}
          onChange={(means) => onCredentials({ ...credentials, means })}
        />
        {credentials.means === 'key' ? (
          <TextField
            label="API key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="nws_..."
            className="grow"
            hint="Used for these requests only and kept nowhere."
            value={credentials.key}
            onChange={(key) => onCredentials({ ...credentials, key })}
          />
        ) : null}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {operation.parameters
          .filter(({ name }) => first.has(name))
          .map((parameter) => (
            <Parameter key={parameter.name} parameter={parameter} value={typed.values[parameter.name] ?? ''} onChange={set} />
          ))}
      </div>
      {more.length > 0 ? (
        <details>
          <summary className="target flex w-fit cursor-pointer items-center text-sm font-medium text-accent">
            {more.length === 1 ? 'One more parameter' : `${more.length} more parameters`}
          </summary>
          <div className="grid gap-3 pt-2 sm:grid-cols-2">
            {more.map((parameter) => (
              <Parameter key={parameter.name} parameter={parameter} value={typed.values[parameter.name] ?? ''} onChange={set} />
            ))}
          </div>
        </details>
      ) : null}
      {operation.body ? (
        <TextAreaField
          label="Body (JSON)"
          rows={8}
          spellCheck={false}
          value={typed.body}
          error={call === null ? 'This is not JSON.' : null}
          onChange={(body) => onTyped({ ...typed, body })}
        />
      ) : null}
      <div>
        <Button type="submit" kind="primary" disabled={busy || call === null}>
          <Send size={15} aria-hidden="true" /> {busy ? 'Asking...' : 'Send request'}
        </Button>
      </div>
      <div aria-live="polite">{result && 'failure' in result ? <p className="font-medium text-bad">{result.failure}</p> : null}</div>
      {result && 'asked' in result ? <Answer asked={result.asked} /> : null}
    </form>
  );
}

function Parameter(props: { parameter: ReferenceParameter; value: string; onChange: (name: string, value: string) => void }) {
  const { parameter, value, onChange } = props;
  const id = useId();
  const choices = choicesOf(parameter.schema);
  const common = { id, 'aria-describedby': `${id}-hint`, value, className: `${CONTROL} font-mono text-[13px]` };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-mono text-[13px] font-medium">
        {parameter.name}
        {parameter.required ? <span className="text-bad"> *</span> : null}
      </label>
      {choices ? (
        <select {...common} onChange={(event) => onChange(parameter.name, event.target.value)}>
          <option value="">not sent</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input {...common} autoComplete="off" spellCheck={false} onChange={(event) => onChange(parameter.name, event.target.value)} />
      )}
      <p id={`${id}-hint`} className="truncate text-xs text-muted" title={typeWords(parameter.schema)}>
        {typeWords(parameter.schema)}
      </p>
    </div>
  );
}

function Answer({ asked }: { asked: Asked }) {
  const good = asked.status < 400;
  return (
    <section aria-label="Answer" className="flex flex-col gap-2">
      <p className="tnum" aria-live="polite">
        <span className={`font-semibold ${good ? 'text-ok' : 'text-bad'}`}>
          {asked.status} {asked.statusText}
        </span>
        <span className="text-muted"> in {Math.round(asked.tookMs).toLocaleString('en-US')} ms</span>
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono text-xs">
        {asked.headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      {asked.text === '' ? <p className="text-sm text-muted">No body.</p> : <CodeBlock text={asked.text} label="Body of the answer" tall />}
      {asked.more > 0 ? (
        <p className="text-[13px] text-muted">{asked.more.toLocaleString('en-US')} more characters are not shown.</p>
      ) : null}
    </section>
  );
}
