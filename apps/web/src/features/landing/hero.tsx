import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight, BookOpen } from 'lucide-react';
import { useServices } from '../../api/services.ts';
import { useHeard } from '../../api/use-heard.ts';
import { Alive } from '../../ui/alive.tsx';
import { AlertCard } from './alert-card.tsx';
import { Console } from './console.tsx';
import { heroQuery } from './hero-answer.ts';
import { WIDE } from './section.tsx';

const CALL = 'inline-flex h-11 items-center gap-2 rounded-lg px-4 text-base font-semibold whitespace-nowrap';

/** The claim, and beside it the proof: an alert in force, and the very answer that told of it. */
export function Hero() {
  const services = useServices();
  const answer = useHeard(useQuery(heroQuery(services)));
  return (
    <div className="landing-hero overflow-clip">
      <div className={`${WIDE} grid gap-x-14 gap-y-10 pt-10 pb-16 sm:pt-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]`}>
        <div className="flex min-w-0 flex-col gap-8">
          <div>
            <h1 className="landing-claim font-bold text-balance">Every weather alert in force, and how sure we are.</h1>
            <p className="max-w-xl pt-5 text-base text-pretty text-muted sm:text-lg sm:leading-normal">
              US National Weather Service alerts as one API and one live feed. Each answer says how fresh it is, and an empty list means
              “none” only when the data behind it is current.
            </p>
            <div className="flex flex-wrap gap-3 pt-7">
              <Link to="/api-keys" className={`${CALL} bg-accent text-on-accent hover:bg-accent-strong`}>
                Get an API key
                <ArrowRight size={18} aria-hidden="true" />
              </Link>
              <a href="/docs" className={`${CALL} border border-line-strong bg-surface hover:bg-hover`}>
                <BookOpen size={18} aria-hidden="true" />
                API documentation
              </a>
            </div>
          </div>
          <AlertCard query={answer} />
        </div>
        <Alive>
          <Console query={answer} />
        </Alive>
      </div>
    </div>
  );
}
