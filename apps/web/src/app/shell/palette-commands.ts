import type { UnitSystem } from '@nwms/domain/units';
import { passageTo, type Visitor } from '../../lib/access.ts';
import { PLACES, type PlacePath } from '../../lib/places.ts';
import type { Theme } from '../../lib/theme.ts';

export type Command =
  | { kind: 'place'; id: string; label: string; words: string; path: PlacePath }
  | { kind: 'units'; id: string; label: string; words: string; system: UnitSystem }
  | { kind: 'theme'; id: string; label: string; words: string; theme: Theme }
  | { kind: 'shortcuts' | 'reference' | 'sign-out'; id: string; label: string; words: string };

/** Addresses of one screen: it is offered once. */
const SAME_SCREEN: readonly PlacePath[] = ['/live-data', '/alerts', '/login'];

/** What this user can be offered here, in the order of the menus: the other unit system, the other theme, no place that is not theirs. */
export function commandsFor(given: { visitor: Visitor; system: UnitSystem; theme: Theme }): Command[] {
  const places = PLACES.filter(({ path }) => !SAME_SCREEN.includes(path) && passageTo(path, given.visitor) === 'open').map(
    ({ path, label, title }): Command => ({ kind: 'place', id: path, label, words: `go to page ${label} ${title}`, path }),
  );
  const system = given.system === 'metric' ? 'imperial' : 'metric';
  const theme = given.theme === 'dark' ? 'light' : 'dark';
  const units = system === 'metric' ? '°C, km/h, mm' : '°F, mph, in';
  return [
    ...places,
    { kind: 'units', id: 'units', label: `Switch to ${system} units (${units})`, words: 'unit system metric imperial', system },
    { kind: 'theme', id: 'theme', label: `Switch to the ${theme} theme`, words: 'dark light colour color mode', theme },
    { kind: 'reference', id: 'reference', label: 'Open the API reference', words: 'documentation docs calls' },
    { kind: 'shortcuts', id: 'shortcuts', label: 'Keyboard shortcuts', words: 'keys help' },
    { kind: 'sign-out', id: 'sign-out', label: 'Sign out', words: 'log out leave' },
  ];
}

/** Commands that hold every word typed, at the beginning of a word of theirs; those whose own name begins with it first. */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const wanted = folded(typed).split(' ').filter(Boolean);
  if (wanted.length === 0) return [...commands];
  const hits = commands.filter((command) => {
    const words = folded(`${command.label} ${command.words}`).split(' ');
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
  const first = wanted[0] ?? '';
  const begins = (command: Command): number => (folded(command.label).startsWith(first) ? 0 : 1);
  return hits.sort((a, b) => begins(a) - begins(b));
}

const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ' ');
