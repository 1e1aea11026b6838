import type { SchemaNode } from '@nwms/contract/read-reference';
import { membersOf, typeWords } from './schema-words.ts';

const DEEPEST = 4;

/** Members of an answer or of a body, inner ones on demand. */
export function Members({
  schema,
  schemas,
  depth = 0,
}: {
  schema: SchemaNode;
  schemas: Readonly<Record<string, SchemaNode>>;
  depth?: number;
}) {
  const found = membersOf(schema, schemas);
  if (!found?.properties) return <p className="text-sm text-muted">{typeWords(schema)}</p>;
  const required = new Set(found.required);
  return (
    <dl className="flex flex-col text-[13px]">
      {Object.entries(found.properties).map(([name, part]) => {
        const inner = depth < DEEPEST ? membersOf(part, schemas) : null;
        return (
          <div key={name} className="border-t border-line py-1.5 first:border-t-0">
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono font-medium break-all">{name}</code>
              <span className="break-words text-muted">{typeWords(part)}</span>
              {required.has(name) ? null : <span className="text-muted">optional</span>}
            </dt>
            <dd className="text-muted">
              {part.description}
              {inner ? (
                <details>
                  <summary className="target flex w-fit cursor-pointer items-center text-accent">Members of {name}</summary>
                  <div className="border-l border-line pl-3">
                    <Members schema={part} schemas={schemas} depth={depth + 1} />
                  </div>
                </details>
              ) : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
