import { useSearch } from '@tanstack/react-router';
import { HealthIndicator } from '../../features/health/health-indicator.tsx';
import { placeAt } from '../../lib/places.ts';
import { usePathname } from '../../lib/use-pathname.ts';
import { MobileMenu } from './mobile-menu.tsx';
import { PaletteHost } from './palette-host.tsx';
import { SearchBox } from './search-box.tsx';
import { SettingsPopover } from './settings-popover.tsx';
import { UserMenu } from './user-menu.tsx';

/** Screens whose list the search in the bar filters. */
const SEARCHED = new Set(['/weather-alerts', '/live-data', '/alerts', '/map']);

const searchedOf = (search: { q?: unknown }): string => String(search.q ?? '');

/** The bar above every screen of a member: what it is, how the service is, and what is the reader's own (SHELL-05 to SHELL-07). */
export function TopBar() {
  const pathname = usePathname();
  const q = useSearch({ strict: false, select: searchedOf });
  const searched = SEARCHED.has(pathname);
  return (
    <header className="flex h-14 items-center gap-1.5 border-b border-line bg-surface px-4 sm:px-6">
      <MobileMenu />
      <div className="min-w-0 grow">
        <p className="truncate text-xs leading-4 text-muted max-sm:sr-only">NWMS Analytics Dashboard</p>
        <h1 className="truncate text-base leading-5 font-bold max-sm:text-sm">{placeAt(pathname)?.title ?? 'NWMS'}</h1>
      </div>
      {searched ? <SearchBox q={q} /> : null}
      <PaletteHost wide={!searched} />
      <HealthIndicator />
      <SettingsPopover />
      <div className="max-sm:hidden">
        <UserMenu />
      </div>
    </header>
  );
}
