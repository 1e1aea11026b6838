/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a list of choices that belongs to a field; no native element has that */
import { Dialog as Base } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Keyboard, LogOut, Moon, Search, Sun, Thermometer } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useServices, useTheme } from '../../api/services.ts';
import { useUser } from '../../api/session.ts';
import { useUnitStore, useUnits } from '../../api/use-units.ts';
import { SeverityIcon } from '../../ui/severity.tsx';
import { type Command, commandsFor, matchCommands } from './palette-commands.ts';
import { useFoundAlerts } from './find-alerts.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { PLACE_ICONS } from './place-icons.ts';

interface Line {
  id: string;
  icon: ReactNode;
  label: string;
  note?: string;
  run: () => void;
}

/** Ctrl or Cmd K: go to a page, find an alert, switch units or theme. Typing filters, arrows move, Enter does. */
export function Palette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const before = useRef(window.location.pathname);
  const returnFocus = useReturnFocus();
  const commands = useCommandLines(typed, onClose, onShortcuts);
  const { lines: alerts, note } = useAlertLines(typed, onClose);
  const lines = [...commands, ...alerts];
  const chosen = Math.min(at, lines.length - 1);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && lines.length > 0) {
      event.preventDefault();
      setAt((chosen + step + lines.length) % lines.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      lines[chosen]?.run();
    }
  };
  const option = (line: Line, index: number) => (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and has the keys
    <div
      key={line.id}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === chosen}
      className={`target flex items-center gap-3 rounded-lg px-3 text-sm ${index === chosen ? 'bg-accent-bg text-accent' : ''}`}
      onClick={line.run}
      onPointerMove={() => setAt(index)}
    >
      <span className="shrink-0">{line.icon}</span>
      <span className="truncate font-medium">{line.label}</span>
      {line.note ? <span className="ml-auto min-w-0 shrink-[2] truncate pl-3 text-[13px] text-muted">{line.note}</span> : null}
    </div>
  );
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Base.Popup
          finalFocus={() => window.location.pathname === before.current && returnFocus()}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70dvh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line-strong bg-raised shadow-pop outline-none"
        >
          <Base.Title className="sr-only">Commands</Base.Title>
          <div className="flex items-center gap-2.5 border-b border-line px-4">
            <Search size={17} aria-hidden="true" className="shrink-0 text-muted" />
            <input
              role="combobox"
              aria-label="Page, alert or command"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={lines.length > 0 ? `${id}-${chosen}` : undefined}
              placeholder="Go to a page, find an alert …"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
              className="h-13 min-w-0 grow bg-transparent text-base outline-none placeholder:text-muted"
            />
            <kbd className="rounded border border-line-strong px-1.5 font-sans text-xs text-muted max-sm:hidden">Esc</kbd>
          </div>
          <div id={`${id}-list`} role="listbox" aria-label="Results" tabIndex={-1} className="min-h-0 grow overflow-y-auto p-2">
            {commands.map(option)}
            {alerts.length > 0 ? (
              <div role="presentation" className="px-3 pt-3 pb-1 text-xs font-semibold text-muted">
                Active alerts
              </div>
            ) : null}
            {alerts.map((line, index) => option(line, commands.length + index))}
          </div>
          <output className={note || lines.length === 0 ? 'border-t border-line px-4 py-2.5 text-[13px] text-muted' : 'sr-only'}>
            {note ?? (lines.length === 0 ? 'Nothing is called that.' : `${lines.length} results`)}
          </output>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function useCommandLines(typed: string, onClose: () => void, onShortcuts: () => void): Line[] {
  const { theme: themes, session } = useServices();
  const units = useUnitStore();
  const { system } = useUnits();
  const { theme } = useTheme();
  const user = useUser();
  const navigate = useNavigate();
  const commands = useMemo(() => commandsFor({ visitor: user, system, theme }), [user, system, theme]);
  const run = (command: Command) => {
    if (command.kind === 'shortcuts') return onShortcuts();
    onClose();
    switch (command.kind) {
      case 'place':
        return void navigate({ to: command.path });
      case 'units':
        return units.choose(command.system);
      case 'theme':
        return themes.choose(command.theme);
      case 'reference':
        return window.location.assign('/docs');
      default:
        void session.signOut();
        void navigate({ to: '/login', replace: true });
    }
  };
  return matchCommands(commands, typed).map((command) => ({
    id: command.id,
    icon: iconOf(command),
    label: command.label,
    ...(command.kind === 'place' ? { note: 'Page' } : {}),
    run: () => run(command),
  }));
}

function iconOf(command: Command): ReactNode {
  const look = { size: 17, 'aria-hidden': 'true' } as const;
  switch (command.kind) {
    case 'place': {
      const Icon = PLACE_ICONS[command.path];
      return <Icon {...look} />;
    }
    case 'units':
      return <Thermometer {...look} />;
    case 'theme':
      return command.theme === 'dark' ? <Moon {...look} /> : <Sun {...look} />;
    case 'reference':
      return <BookOpen {...look} />;
    case 'shortcuts':
      return <Keyboard {...look} />;
    default:
      return <LogOut {...look} />;
  }
}

function useAlertLines(typed: string, onClose: () => void): { lines: Line[]; note: string | null } {
  const navigate = useNavigate();
  const { alerts, note } = useFoundAlerts(typed);
  const lines = alerts.map((alert) => ({
    id: alert.event_id,
    icon: <SeverityIcon severity={alert.severity} />,
    label: alert.event,
    note: alert.location,
    run: () => {
      onClose();
      void navigate({ to: '/weather-alerts', search: { alert: alert.event_id } });
    },
  }));
  return { lines, note };
}
