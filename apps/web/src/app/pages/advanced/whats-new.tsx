import { History, MonitorDown, Radio } from 'lucide-react';
import { Panel } from '../../../ui/page.tsx';

const NEWS = [
  { icon: MonitorDown, name: 'Installable app', words: 'On the home screen of a phone or beside your other programs; see below how.' },
  { icon: Radio, name: 'Real-time feed', words: 'Alerts in the moment they are issued, with a pause for reading.' },
  { icon: History, name: 'Interactive timeline', words: 'Any past instant as it was known then, with its shapes, to play through.' },
] as const;

/** TIME-01 */
export function WhatsNew() {
  return (
    <Panel title="What's New">
      <ul className="flex flex-col gap-3">
        {NEWS.map(({ icon: Icon, name, words }) => (
          <li key={name} className="flex gap-3">
            <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
            <div>
              <h3 className="text-sm font-semibold">{name}</h3>
              <p className="text-[13px] text-muted">{words}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
