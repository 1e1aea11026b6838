import { BrainCircuit } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';

/** INTL-05, R-19. What is loaded today says what it is: nothing was trained or measured, so there is nothing to claim. */
export function MlPanel({ open, toggle }: { open: boolean; toggle: () => void }) {
  return (
    <Panel
      title="Machine learning"
      note="Loading may take 30 to 60 seconds."
      actions={
        <Button onClick={toggle} aria-expanded={open} aria-controls={open ? 'ml-dashboard' : undefined}>
          <BrainCircuit size={15} aria-hidden="true" />
          {open ? 'Hide ML Dashboard' : 'Load ML Dashboard'}
        </Button>
      }
    >
      {open ? (
        <div id="ml-dashboard" className="rounded-lg border border-dashed border-line-strong p-4">
          <p className="font-semibold">Not in this version yet</p>
          <p className="max-w-prose text-muted">
            No model has been trained and no accuracy measured, so none is shown here. Models will appear with the error they made on
            forecasts of the past, beside that of the official forecast.
          </p>
        </div>
      ) : null}
    </Panel>
  );
}
