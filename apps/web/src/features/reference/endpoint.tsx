import { credentialOf, type Language } from '@nwms/contract/code-examples';
import { exampleCallOf, fillingOf, type Reference, type ReferenceOperation } from '@nwms/contract/read-reference';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useServices } from '../../api/services.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeBlock } from './code-block.tsx';
import { CodeExamples } from './code-examples.tsx';
import { costWords } from './cost-words.ts';
import { Members } from './members.tsx';
import { Parameters } from './parameters.tsx';
import { callFrom, type Credentials, TryIt, typedFrom } from './try-it.tsx';

export const ACCESS_WORDS: Readonly<Record<ReferenceOperation['access'], string>> = {
  open: 'No key',
  public: 'No key',
  'key-or-session': 'API key',
  special: 'Special access',
  member: 'Web login',
  admin: 'Admin login',
};

export interface EndpointProps {
  operation: ReferenceOperation;
  reference: Reference;
  open: boolean;
  onToggle: () => void;
  lang: Language;
  onLang: (lang: Language) => void;
  credentials: Credentials;
  onCredentials: (credentials: Credentials) => void;
}

/** One endpoint; opened, all there is to know of it. */
export function Endpoint(props: EndpointProps) {
  const { operation, open, onToggle } = props;
  const id = `op-${operation.operation}`;
  return (
    <li id={id} className="scroll-mt-[calc(var(--bar-height)+1rem)] border-t border-line first:border-t-0">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? `${id}-more` : undefined}
          onClick={onToggle}
          className="target grid w-full grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-2 text-left -outline-offset-2 hover:bg-hover max-sm:grid-cols-[auto_auto_minmax(0,1fr)]"
        >
          <ChevronRight size={16} aria-hidden="true" className={`text-muted transition-transform ${open ? 'rotate-90' : ''}`} />
          <Method word={operation.method} />
          <span className="min-w-0">
            <code className="block font-mono text-[13px] font-medium break-all">{operation.path}</code>
            <span className="block text-[13px] font-normal text-muted">{operation.summary}</span>
          </span>
          <span className="flex flex-wrap gap-1.5 max-sm:col-start-3 max-sm:pt-1">
            <Badge>{ACCESS_WORDS[operation.access]}</Badge>
          </span>
        </button>
      </h3>
      {open ? <Details {...props} id={`${id}-more`} /> : null}
    </li>
  );
}

export function Method({ word }: { word: string }) {
  return <span className="w-13 font-mono text-xs font-semibold text-accent">{word}</span>;
}

function Details({ operation, reference, lang, onLang, credentials, onCredentials, id }: EndpointProps & { id: string }) {
  const { origin } = useServices();
  const [typed, setTyped] = useState(() => typedFrom(fillingOf(operation)));
  const call = callFrom(operation, origin, typed);
  const { answer } = operation;
  return (
    <div id={id} className="grid gap-x-8 gap-y-5 border-t border-line px-4 py-4 pane:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        {operation.description ? <p className="max-w-prose text-muted">{operation.description}</p> : null}
        <Part title="Access and cost">
          <p className="text-sm text-muted">
            {needs(operation)} {costWords(operation)}
          </p>
        </Part>
        <Part title="Parameters">
          <Parameters operation={operation} />
        </Part>
        {operation.body ? (
          <Part title="Body">
            <Members schema={operation.body.schema} schemas={reference.schemas} />
          </Part>
        ) : null}
        <Part title="Errors">
          <Errors operation={operation} reference={reference} />
        </Part>
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <Part title="Code">
          <CodeExamples call={call ?? exampleCallOf(operation, origin)} lang={lang} onLang={onLang} />
        </Part>
        <Part title="Try it">
          {operation.readOnly ? (
            <TryIt {...{ operation, typed, call, credentials, onCredentials }} onTyped={setTyped} />
          ) : (
            <p className="text-sm text-muted">
              This call changes something, so it is not sent from here. Use the code, or the screens of this application.
            </p>
          )}
        </Part>
        <Part title={`Answer ${answer.status}`}>
          {answer.types.length > 0 ? <p className="pb-2 text-[13px] break-words text-muted">{answer.types.join(', ')}</p> : null}
          {answer.schema ? (
            <div className="flex flex-col gap-2">
              <CodeBlock text={JSON.stringify(answer.example, null, 2)} label="Example of the answer" />
              <p className="text-[13px] text-muted">The values are made up; members and their forms are those of every answer.</p>
              <details>
                <summary className="target flex w-fit cursor-pointer items-center text-sm font-medium text-accent">
                  Members of the answer
                </summary>
                <Members schema={answer.schema} schemas={reference.schemas} />
              </details>
            </div>
          ) : (
            <p className="text-sm text-muted">{answer.types.length > 0 ? 'Not JSON.' : 'No body.'}</p>
          )}
        </Part>
      </div>
    </div>
  );
}

function needs({ access }: ReferenceOperation): string {
  const credential = credentialOf(access);
  if (credential === 'none') return access === 'open' ? 'Open to everybody; credentials are not read.' : 'Open to everybody.';
  if (access === 'special') return 'Needs an API key of an account with special access, or a web login.';
  if (credential === 'key') return 'Needs an API key or a web login.';
  return access === 'admin' ? "Needs an administrator's web-login token." : 'Needs a web-login token; API keys are refused.';
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h4 className="pb-1.5 text-sm font-semibold">{title}</h4>
      {children}
    </section>
  );
}

function Errors({ operation, reference }: { operation: ReferenceOperation; reference: Reference }) {
  return (
    <ul className="flex flex-col text-[13px]">
      {operation.errors.flatMap(({ status, codes }) =>
        codes.map((code) => (
          <li key={code} className="border-t border-line py-1.5 first:border-t-0">
            <span className="tnum font-medium">{status}</span>{' '}
            <a href={`/docs/errors#${code}`} className="font-mono text-accent hover:underline">
              {code}
            </a>
            <span className="block text-muted">{reference.errors[code]?.help}</span>
          </li>
        )),
      )}
    </ul>
  );
}
