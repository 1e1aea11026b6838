import { CallToAction } from './call-to-action.tsx';
import { Features } from './features.tsx';
import { LiveBoard } from './live-board.tsx';
import { ReferenceList } from './reference-list.tsx';
import { UseCases } from './use-cases.tsx';

export { SiteFooter } from './site-footer.tsx';

/** How it is doing, what it can do, what it is for, how to call it. */
export function More() {
  return (
    <>
      <LiveBoard />
      <Features />
      <UseCases />
      <ReferenceList />
      <CallToAction />
    </>
  );
}
