import { Spinner } from '../ui/spinner.tsx';

/** While a page is loaded on demand, and while it is not known who is signed in (SHELL-11). */
export function PageSpinner() {
  return (
    <main id="main" className="flex min-h-[60dvh] items-center justify-center" aria-busy="true">
      <Spinner label="Loading" />
    </main>
  );
}
