import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { useServices } from '../../api/services.ts';
import { useFreshnessLevel } from '../../api/use-freshness.ts';
import { healthQuery } from './queries.ts';

/** SHELL-05: healthy when health says so, anything else is issues; a health that cannot be read is issues too. */
export function HealthIndicator() {
  const services = useServices();
  const health = useQuery(healthQuery(services));
  // The last good health outlives the connection: it must not call data healthy whose age nobody knows any more.
  const { level, heard } = useFreshnessLevel();
  const lost = heard && level === 'unknown';
  if (health.isPending) {
    return (
      <Look
        icon={<CircleDashed size={17} aria-hidden="true" />}
        word="Checking"
        tone="text-muted"
        title="Asking for the state of the service"
      />
    );
  }
  if (!lost && !health.isError && health.data.status === 'healthy') {
    return (
      <Look
        icon={<CircleCheck size={17} aria-hidden="true" />}
        word="Healthy"
        tone="text-ok"
        title="The service and its data are in order"
      />
    );
  }
  const checks = health.data?.checks;
  const bad =
    checks && !health.isError
      ? Object.entries(checks)
          .filter(([, check]) => check.status !== 'ok')
          .map(([name]) => name.replaceAll('_', ' '))
      : [];
  const title =
    lost && health.data?.status === 'healthy'
      ? 'How current the data is cannot be told right now'
      : health.isError
        ? 'The service cannot be reached'
        : bad.length > 0
          ? `Not in order: ${bad.join(', ')}`
          : 'The service reports issues';
  return <Look icon={<CircleAlert size={17} aria-hidden="true" />} word="Issues" tone="text-warn" title={title} />;
}

function Look(props: { icon: React.ReactNode; word: string; tone: string; title: string }) {
  return (
    <a
      href="/api/v1/health"
      title={props.title}
      className={`target inline-flex items-center gap-1.5 rounded-lg px-2 text-sm font-medium hover:bg-hover ${props.tone}`}
    >
      {props.icon}
      <span className="max-sm:sr-only">{props.word}</span>
      <span className="sr-only">: {props.title}</span>
    </a>
  );
}
