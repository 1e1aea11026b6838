import { Link } from '@tanstack/react-router';
import { useUser } from '../../api/session.ts';
import { isAdmin } from '../../lib/access.ts';
import { type Place, PLACES, type PlacePath, type Section } from '../../lib/places.ts';
import { PLACE_ICONS } from './place-icons.ts';

const SECTIONS: readonly { section: Section; heading: string | null }[] = [
  { section: 'main', heading: null },
  { section: 'analytics', heading: 'Analytics & Reports' },
  { section: 'administration', heading: 'Administration' },
];

const ITEM =
  'flex min-h-9 items-center gap-3 rounded-lg px-2.5 py-1.5 text-sm leading-5 font-medium max-side:md:justify-center max-side:md:px-0 pointer-coarse:min-h-11';

/** The places this user may go to, by section (SHELL-01 to SHELL-03). */
export function PlaceMenu({ onGo }: { onGo?: () => void }) {
  const admin = isAdmin(useUser());
  const shown = SECTIONS.filter(({ section }) => section === 'main' || admin);
  return shown.map(({ section, heading }) => (
    <div key={section} className="not-first:pt-3">
      {heading ? <h2 className="px-2.5 pb-1.5 text-xs font-semibold text-muted max-side:md:sr-only">{heading}</h2> : null}
      {heading ? <div aria-hidden="true" className="mx-1 mb-2 hidden border-t border-line max-side:md:block" /> : null}
      <ul className="flex flex-col gap-0.5">
        {PLACES.filter((place: Place) => place.section === section).map((place) => (
          <Item key={place.path} place={place} onGo={onGo} />
        ))}
      </ul>
    </div>
  ));
}

function Item({ place, onGo }: { place: Place & { path: PlacePath }; onGo: (() => void) | undefined }) {
  const Icon = PLACE_ICONS[place.path];
  return (
    <li>
      <Link
        to={place.path}
        onClick={onGo}
        title={place.label}
        activeOptions={{ exact: place.exact === true, includeSearch: false }}
        className={ITEM}
        activeProps={{ className: 'bg-accent-bg text-accent' }}
        inactiveProps={{ className: 'text-muted hover:bg-hover hover:text-text' }}
      >
        <Icon size={18} aria-hidden="true" className="shrink-0" />
        <span className="max-side:md:sr-only">{place.label}</span>
      </Link>
    </li>
  );
}
