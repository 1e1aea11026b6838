import { WIDE } from './section.tsx';

const LINKS = [
  ['/docs', 'API documentation'],
  ['/docs/errors', 'Error codes'],
  ['/api/v1/openapi.json', 'OpenAPI document'],
  ['/api/v1/health', 'Status'],
  ['/api/v1/health/upstream', 'Record of gaps'],
] as const;

export function SiteFooter() {
  return (
    <footer className="border-t border-line py-10 text-[13px] text-muted">
      <div className={`${WIDE} flex flex-wrap justify-between gap-x-12 gap-y-6`}>
        <div className="max-w-xl">
          <p>
            Alert data:{' '}
            <a href="https://www.weather.gov/documentation/services-web-api" rel="noreferrer" className="underline underline-offset-2">
              National Weather Service
            </a>
            , a work of the US government in the public domain. NWMS is not an official source: for decisions of life and safety follow your
            local National Weather Service office and officials.
          </p>
          <p className="pt-3">NWMS is free software under the Apache License 2.0.</p>
        </div>
        <nav aria-label="Documents">
          <ul className="grid gap-x-8 sm:grid-cols-2">
            {LINKS.map(([href, label]) => (
              <li key={href}>
                <a href={href} className="target inline-flex items-center hover:text-text hover:underline">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
