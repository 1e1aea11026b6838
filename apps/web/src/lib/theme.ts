/** The rule is repeated in public/theme.js, which runs before the first paint. */
export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];
export type Theme = 'light' | 'dark';

const KEY = 'theme';

export interface ThemeStore {
  choice(): ThemeChoice;
  theme(): Theme;
  choose(choice: ThemeChoice): void;
  subscribe(listener: () => void): () => void;
}

/** The chosen theme, kept over visits and shared by tabs; `system` follows the device. */
export function createThemeStore(win: Window): ThemeStore {
  const listeners = new Set<() => void>();
  const systemDark = win.matchMedia('(prefers-color-scheme: dark)');
  const stored = (): ThemeChoice => {
    try {
      const value = win.localStorage.getItem(KEY);
      return value === 'light' || value === 'dark' ? value : 'system';
    } catch {
      return 'system';
    }
  };
  let choice = stored();
  const theme = (): Theme => (choice === 'system' ? (systemDark.matches ? 'dark' : 'light') : choice);
  const apply = () => {
    win.document.documentElement.dataset['theme'] = theme();
    const colour = win.getComputedStyle(win.document.documentElement).getPropertyValue('--bg').trim();
    win.document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colour);
    for (const listener of listeners) listener();
  };
  systemDark.addEventListener('change', apply);
  win.addEventListener('storage', (event) => {
    if (event.key !== KEY && event.key !== null) return;
    choice = stored();
    apply();
  });
  return {
    choice: () => choice,
    theme,
    choose(next) {
      choice = next;
      try {
        win.localStorage.setItem(KEY, next);
      } catch {
        // Storage may be forbidden; the choice then lasts as long as the page.
      }
      apply();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
