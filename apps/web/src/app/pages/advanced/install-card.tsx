import { Panel } from '../../../ui/page.tsx';

const WAYS = [
  {
    where: 'Chrome or Edge on a computer',
    steps: [
      'Open this site.',
      'Press the install button at the right end of the address bar, or choose Install in the menu.',
      'Confirm with Install.',
    ],
  },
  {
    where: 'Safari on iPhone and iPad',
    steps: ['Open this site in Safari.', 'Tap Share.', 'Choose Add to Home Screen, then Add.'],
  },
  {
    where: 'Chrome on Android',
    steps: ['Open this site in Chrome.', 'Open the menu (three dots).', 'Choose Add to Home screen or Install app, then Install.'],
  },
] as const;

/** TIME-02 */
export function InstallCard() {
  return (
    <Panel title="Install the app" note="It opens in a window of its own. Nothing is taken from a store.">
      <div className="grid gap-4 sm:grid-cols-3">
        {WAYS.map(({ where, steps }) => (
          <section key={where} className="rounded-lg border border-line p-3">
            <h3 className="text-sm font-semibold">{where}</h3>
            <ol className="list-decimal pt-1 pl-5 text-[13px] text-muted">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Panel>
  );
}
