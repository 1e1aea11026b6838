import { ChartSpline, Globe, Smartphone, Zap } from 'lucide-react';
import type { ComponentType } from 'react';
import { Section } from './section.tsx';

interface UseCase {
  icon: ComponentType<{ size?: number; 'aria-hidden'?: 'true'; className?: string }>;
  title: string;
  text: string;
  steps: readonly string[];
}

/** LAND-03. */
const USE_CASES: readonly UseCase[] = [
  {
    icon: Smartphone,
    title: 'Mobile apps',
    text: 'Tell people about the warning at the place where they are, and take it back when it is over.',
    steps: ['GET /alerts/near', 'label_point, bbox', 'state: cancelled'],
  },
  {
    icon: Globe,
    title: 'Web services',
    text: 'Put a banner, a map layer or a feed on a site without keeping a copy of the weather service yourself.',
    steps: ['GET /alerts?ugc=IA', 'format=geojson', 'vector tiles'],
  },
  {
    icon: Zap,
    title: 'Automation and IoT',
    text: 'Close the shutters, stop the crane, pause the sprinklers: on the event, with a fallback when data is stale.',
    steps: ['wss://…/ws/alerts', 'severe_alerts', 'status: live?'],
  },
  {
    icon: ChartSpline,
    title: 'Analytics and research',
    text: 'Replay a storm as it was known, export every version, compare lead times without hindsight.',
    steps: ['POST /playback/timeline', 'at=…', 'format=ndjson'],
  },
];

export function UseCases() {
  return (
    <Section title="What people build with it">
      <ul className="grid gap-4 sm:grid-cols-2">
        {USE_CASES.map(({ icon: Icon, title, text, steps }) => (
          <li key={title} className="card flex gap-5 p-6 max-sm:flex-col max-sm:gap-3">
            <Icon size={28} aria-hidden="true" className="shrink-0 text-accent" />
            <div className="min-w-0">
              <h3 className="text-base font-semibold">{title}</h3>
              <p className="pt-1 text-muted">{text}</p>
              <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-3 font-mono text-[13px]">
                {steps.map((step, index) => (
                  <li key={step} className="flex items-center gap-2">
                    {index > 0 ? (
                      <span aria-hidden="true" className="text-muted">
                        →
                      </span>
                    ) : null}
                    {step}
                  </li>
                ))}
              </ol>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
