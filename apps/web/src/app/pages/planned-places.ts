import type { PlacePath } from '../../lib/places.ts';

/** What a screen will be, and what serves today instead: inside (`to`) or outside of the application (`href`). */
export interface Planned {
  will: string;
  today: readonly ({ words: string; to: PlacePath; href?: never } | { words: string; href: string; to?: never })[];
}

const ALERTS = { words: 'Active alerts as list, figures and map', to: '/weather-alerts' } as const;
const DOCS = { words: 'API reference with every call', href: '/docs' } as const;

const PLANNED: Partial<Record<PlacePath, Planned>> = {
  '/my-dashboard': {
    will: 'Your own places: current conditions, the next 48 hours and the alerts that touch them, in widgets you arrange and share.',
    today: [ALERTS],
  },
  '/ai-insights': {
    will: 'Summaries, risk analysis and guidance written from the official texts, with their sources beside them and their author named.',
    today: [ALERTS, { words: 'The official texts and instructions of every alert', to: '/weather-alerts' }],
  },
  '/weather-intelligence': {
    will: 'A forecast of one city read closely: conditions, precipitation, wind and what they add up to.',
    today: [ALERTS],
  },
  '/notifications': {
    will: 'Alerts sent to this browser for the places, severities and hours you choose.',
    today: [{ words: 'Alerts as they arrive, live on this page', to: '/weather-alerts' }],
  },
};

const GENERAL: Planned = { will: 'This screen is being built.', today: [ALERTS, DOCS] };

export const plannedAt = (pathname: string): Planned => (PLANNED as Record<string, Planned | undefined>)[pathname] ?? GENERAL;
