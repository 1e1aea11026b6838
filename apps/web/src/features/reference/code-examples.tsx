import { codeExample, type ExampleCall, type Language, LANGUAGE_WORDS, LANGUAGES, VARIABLES } from '@nwms/contract/code-examples';
import { Tabs } from '../../ui/tabs.tsx';
import { CodeBlock } from './code-block.tsx';

/** DOCS-02: one request in every language. The language chosen once holds for the whole reference. */
export function CodeExamples(props: { call: ExampleCall; lang: Language; onLang: (lang: Language) => void }) {
  const { call, lang, onLang } = props;
  const { credential } = call;
  return (
    <div className="flex flex-col gap-2">
      <Tabs<Language>
        label="Language of the example"
        value={lang}
        onChange={onLang}
        tabs={LANGUAGES.map((one) => {
          const code = codeExample(one, call);
          return {
            id: one,
            label: LANGUAGE_WORDS[one],
            content:
              code === null ? (
                <p className="text-sm text-muted">The SDK has no call for this endpoint; the other languages show how to ask it.</p>
              ) : (
                <CodeBlock text={code} label={`${LANGUAGE_WORDS[one]} example`} />
              ),
          };
        })}
      />
      {credential === 'none' ? (
        <p className="text-[13px] text-muted">Works without a key. With one, as X-API-Key, the limits of the key hold.</p>
      ) : (
        <p className="text-[13px] text-muted">
          {credential === 'key'
            ? `${VARIABLES.key} holds an API key of yours (tab "API keys").`
            : `${VARIABLES.session} holds the token of a web login: the access_token that POST /auth/login or /auth/google answers. API keys are refused here.`}
        </p>
      )}
    </div>
  );
}
