import { Moon, Sun } from 'lucide-react';
import { useServices, useTheme } from '../api/services.ts';

/** Light or dark at a press; following the device is chosen in the settings of the signed-in frame. */
export function ThemeToggle() {
  const { theme: store } = useServices();
  const { theme } = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      aria-label={`Use the ${other} theme`}
      className="target inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text"
      onClick={() => store.choose(other)}
    >
      {theme === 'dark' ? <Sun size={17} aria-hidden="true" /> : <Moon size={17} aria-hidden="true" />}
    </button>
  );
}
