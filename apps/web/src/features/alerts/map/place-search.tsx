/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a list of choices that belongs to a field; no native element has that */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Place } from '@nwms/contract';
import { MapPin } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { sentenceOf } from '../../../api/errors.ts';
import { useServices } from '../../../api/services.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { typedPosition, writePlace, writePosition } from './place-address.ts';
import { LEAST_CHARACTERS, placeKey, placeSearchQuery, shownPlace } from './place-queries.ts';

const TYPING_MS = 300;

interface Choice {
  key: string;
  label: string;
  note: string;
  choose: () => void;
}

const KINDS: Partial<Record<Place['kind'], string>> = { county: 'County', zone: 'Forecast zone', state: 'State' };
const noteOf = (place: Place): string =>
  KINDS[place.kind]
    ? `${KINDS[place.kind]} ${place.kind === 'state' ? '' : (place.ugc ?? '')}`.trim()
    : place.population
      ? `${place.population.toLocaleString('en-US')} people`
      : '';

/** Finds a place by name or position; every place of that name is a row of its own, none is chosen for the reader. */
export function PlaceFinder({ onPlace }: { onPlace: (address: string) => void }) {
  const { api } = useServices();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const typed = text.trim();
  const position = typedPosition(typed);
  const q = useSettled(position ? '' : typed, TYPING_MS);
  const found = useQuery(placeSearchQuery(api, q));
  const choices = position ? [positionChoice(position)] : q === typed ? placeChoices() : [];
  const shown = open && typed !== '';
  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function take(address: string, label: string) {
    setText(label);
    setActive(-1);
    setOpen(false);
    onPlace(address);
  }
  function positionChoice({ lat, lon }: { lat: number; lon: number }): Choice {
    const address = writePosition(lat, lon);
    return { key: address, label: address.replace(',', ', '), note: 'Position', choose: () => take(address, address.replace(',', ', ')) };
  }
  function placeChoices(): Choice[] {
    return (found.data?.places ?? []).map((place) => {
      const address = writePlace(place);
      const choose = () => {
        client.setQueryData(placeKey(address), shownPlace(place, found.data?.attribution ?? []));
        take(address, place.label);
      };
      return { key: place.id ?? address, label: place.label, note: noteOf(place), choose };
    });
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (choices.length > 0)
        setActive((at) => (at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // The only one, or the one that was gone to; of several none is guessed.
      const chosen = choices[active] ?? (choices.length === 1 ? choices[0] : undefined);
      if (chosen) chosen.choose();
      else if (choices.length > 0) setActive(0);
    } else if (event.key === 'Escape' && (shown || text)) {
      event.preventDefault();
      if (shown) setOpen(false);
      else setText('');
    }
  };
  const note = noteFor();
  function noteFor(): string | null {
    if (position || typed === '') return null;
    if (typed.length < LEAST_CHARACTERS) return 'Type at least two letters.';
    if (q !== typed || found.isFetching) return 'Searching …';
    if (found.isError) return `Places cannot be searched right now: ${sentenceOf(found.error)}`;
    if (!found.data) return null;
    const { total, truncated, warnings } = found.data;
    const missing = warnings[0] ? ` ${warnings[0].message}` : '';
    if (total === 0) return `No place of this name is known here.${missing} A position such as 35.78, -78.64 works, too.`;
    return truncated
      ? `The first ${choices.length} of ${total.toLocaleString('en-US')}: add a comma and the state.${missing}`
      : missing.trim() || null;
  }

  return (
    <search
      className="relative block border-b border-line"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      <label className="flex items-center gap-2 rounded-t-[11px] px-3 focus-within:inset-ring-2 focus-within:inset-ring-accent">
        <MapPin size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <input
          type="text"
          role="combobox"
          aria-label="Find a place on the map"
          aria-expanded={shown}
          aria-controls={id}
          aria-autocomplete="list"
          {...(shown && active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
          placeholder="Find a city, county, zone or position"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={(event) => (setText(event.target.value), setActive(-1), setOpen(true))}
          onFocus={() => setOpen(true)}
          onKeyDown={onKey}
          className="target min-w-0 grow bg-transparent text-sm outline-none placeholder:text-muted"
        />
      </label>
      <div
        hidden={!shown}
        className="absolute inset-x-1 top-full z-20 mt-1 overflow-hidden rounded-lg border border-line-strong bg-raised text-[13px] shadow-pop"
      >
        <div ref={list} id={id} role="listbox" aria-label="Places" tabIndex={-1} className="max-h-64 overflow-y-auto">
          {choices.map((choice, at) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and has the keys
            <div
              key={choice.key}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              // Before the field loses the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={choice.choose}
              className={`target flex cursor-pointer items-center justify-between gap-3 px-3 py-1.5 ${at === active ? 'bg-accent-bg' : 'hover:bg-hover'}`}
            >
              <span className="min-w-0 break-words">{choice.label}</span>
              <span className="tnum shrink-0 text-xs text-muted">{choice.note}</span>
            </div>
          ))}
        </div>
        <output className={`block px-3 text-muted ${note ? 'py-2' : ''}`}>{note}</output>
        {choices.length > 0 && found.data && found.data.attribution.length > 0 && !position ? (
          <p className="border-t border-line px-3 py-1 text-xs text-muted">{found.data.attribution.join(' · ')}</p>
        ) : null}
      </div>
    </search>
  );
}
