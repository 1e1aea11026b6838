import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { WIDE } from './section.tsx';

/** LAND-02. */
export function CallToAction() {
  return (
    <section aria-labelledby="start-now" className="rings border-t border-line bg-surface py-20 text-center">
      <div className={WIDE}>
        <h2 id="start-now" className="text-xl font-bold tracking-tight">
          The next warning will not wait
        </h2>
        <p className="mx-auto max-w-xl pt-3 text-base text-muted">
          Alerts need no key. With one of your own you get limits of your own, usage figures and the statistics.
        </p>
        <div className="flex flex-wrap justify-center gap-3 pt-7">
          <Link
            to="/api-keys"
            className="inline-flex h-11 items-center gap-2 rounded-lg bg-accent px-4 text-base font-semibold text-on-accent hover:bg-accent-strong"
          >
            Get an API key
            <ArrowRight size={18} aria-hidden="true" />
          </Link>
          <Link
            to="/weather-alerts"
            className="inline-flex h-11 items-center rounded-lg border border-line-strong bg-surface px-4 text-base font-semibold hover:bg-hover"
          >
            Open the alerts
          </Link>
        </div>
      </div>
    </section>
  );
}
