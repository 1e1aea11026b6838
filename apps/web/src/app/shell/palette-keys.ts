/** Whether keys go into a text where they mean themselves. */
export const isTyping = (target: EventTarget | null): boolean =>
  target !== null &&
  'matches' in target &&
  (target as Element).matches('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]');

export type PaletteView = 'commands' | 'shortcuts';

/** Which of the two a key opens: Ctrl or Cmd K the commands, from everywhere; `?` the shortcuts, unless somebody is typing. */
export function paletteViewOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): PaletteView | null {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) return 'commands';
  return event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target) ? 'shortcuts' : null;
}

export const SHORTCUTS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['Ctrl', 'K'], does: 'Go to a page, find an alert, switch units or theme (Cmd K on a Mac)' },
  { keys: ['/'], does: 'Search the alerts of the list' },
  { keys: ['↑', '↓'], does: 'Move through the rows of the list' },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['Esc'], does: 'Close what is open' },
  { keys: ['?'], does: 'Show this list' },
];
