import { Link } from '@tanstack/react-router';
import { ChevronRight, Gauge, ScrollText, Settings, Users } from 'lucide-react';

const LINKS = [
  { to: '/admin/users', icon: Users, title: 'User Management', text: 'Accounts, roles and limits' },
  { to: '/admin/settings', icon: Settings, title: 'System Settings', text: 'Limits, security, messages' },
  { to: '/admin/monitoring', icon: Gauge, title: 'API Usage Monitoring', text: 'Who uses how much' },
  { to: '/admin/audit', icon: ScrollText, title: 'Audit Log', text: 'Who changed what, and when' },
] as const;

/** ADMN-01: the ways on. */
export function QuickLinks() {
  return (
    <nav aria-label="Administration" className="grid grid-cols-1 gap-3 sm:grid-cols-2 pane:grid-cols-4">
      {LINKS.map(({ to, icon: Icon, title, text }) => (
        <Link key={to} to={to} className="card target flex items-center gap-3 px-4 py-3 hover:border-line-strong hover:bg-hover">
          <Icon size={20} aria-hidden="true" className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1">
            <span className="block font-semibold">{title}</span>
            <span className="block text-[13px] text-muted">{text}</span>
          </span>
          <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-muted" />
        </Link>
      ))}
    </nav>
  );
}
