import { ArrowUpRight } from 'lucide-react';
import { useServices } from '../../api/services.ts';
import { areaOf } from './served.ts';
import { Alive } from '../../ui/alive.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ACCESS_WORDS, curlOf, REFERENCE, type ReferenceLine, referenceHref } from './reference-lines.ts';
import { Section } from './section.tsx';

/** LAND-04: documented, not called. */
export function ReferenceList() {
  return (
    <Section
      id="reference"
      title="API reference"
      lead="Every line leads to its entry in the documentation; the button copies a command that asks it."
      aside={
        <a href="/docs" className="target inline-flex items-center gap-1.5 font-semibold text-accent hover:underline">
          API documentation
          <ArrowUpRight size={17} aria-hidden="true" />
        </a>
      }
    >
      <Alive>
        <div className="columns-1 gap-x-6 lg:columns-2">
          {REFERENCE.map(({ title, lines }) => (
            <section key={title} aria-label={title} className="break-inside-avoid pb-8">
              <h3 className="pb-2 font-semibold">{title}</h3>
              <ul className="card overflow-clip">
                {lines.map((line) => (
                  <Line key={line.path} line={line} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Alive>
    </Section>
  );
}

function Line({ line }: { line: ReferenceLine }) {
  const { origin } = useServices();
  const area = areaOf(line);
  return (
    <li className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4 last:border-b-0">
      <div className="min-w-0 flex-1">
        <a href={referenceHref(line, area)} className="block font-mono text-[13px] wrap-anywhere hover:underline">
          <span className={`font-semibold ${line.method === 'POST' ? 'text-(--severe)' : 'text-ok'}`}>{line.method}</span> {line.path}
        </a>
        <p className="text-[13px] text-muted">
          {line.what} · {ACCESS_WORDS[line.access]}
          {area === null ? (
            <span className="ml-2 rounded-md border border-line-strong px-1.5 text-xs font-semibold" title="Not part of this version yet">
              Planned
            </span>
          ) : null}
        </p>
      </div>
      <CopyButton text={curlOf(line, origin)} label={`Copy a command for ${line.method} ${line.path}`} />
    </li>
  );
}
