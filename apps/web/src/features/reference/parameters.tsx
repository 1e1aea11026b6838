import type { ReferenceOperation, ReferenceParameter, SchemaNode } from '@nwms/contract/read-reference';
import { typeWords } from './schema-words.ts';

/** Each parameter with what it takes. */
export function Parameters({ operation }: { operation: ReferenceOperation }) {
  if (operation.parameters.length === 0) return <p className="text-sm text-muted">None.</p>;
  return (
    <dl className="flex flex-col text-[13px]">
      {operation.parameters.map((parameter) => (
        <div key={`${parameter.in} ${parameter.name}`} className="border-t border-line py-1.5 first:border-t-0">
          <dt className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-mono font-medium">{parameter.name}</code>
            <span className="break-words text-muted">{typeWords(parameter.schema)}</span>
            {parameter.required ? <span className="font-medium">required</span> : null}
            {parameter.in === 'path' ? <span className="text-muted">in the path</span> : null}
          </dt>
          <dd className="text-muted">{aboutOf(parameter)}</dd>
        </div>
      ))}
    </dl>
  );
}

const aboutOf = ({ description, schema }: ReferenceParameter): string => [description, longList(schema)].filter(Boolean).join(' ');
const longList = ({ enum: words, items }: SchemaNode): string => {
  const all = words ?? items?.enum ?? [];
  return all.length > 12 ? `One of ${all.join(', ')}.` : '';
};
