import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Boundary } from './part.tsx';

export interface LazyPart<P extends object> {
  /** Imports the component. */
  load: () => Promise<ComponentType<P>>;
  /** What stands there while it comes; nothing unless given. */
  Waiting?: ComponentType<P>;
  /** What stands there when it could not be had, or broke; `again` tries anew. */
  Failed: ComponentType<P & { again: () => void }>;
}

/**
 * A component in a file of its own, declared once where others are imported. Once loaded it is there at once, wherever it stands; when its
 * file cannot be had, it says so in its own place and what is around it stays.
 */
export function lazyPart<P extends object>({ load, Waiting, Failed }: LazyPart<P>): ComponentType<P> {
  const fresh = () => lazy(async () => ({ default: await load() }));
  // A lazy component keeps its failure: whoever opens the part next needs a new one.
  let current = fresh();
  return function Loaded(props: P) {
    const [attempt, setAttempt] = useState(0);
    const Component = current as unknown as ComponentType<P>;
    return (
      <Boundary
        key={attempt}
        instead={<Failed {...props} again={() => setAttempt((before) => before + 1)} />}
        onFailed={() => (current = fresh())}
      >
        <Suspense fallback={Waiting ? <Waiting {...props} /> : null}>
          <Component {...props} />
        </Suspense>
      </Boundary>
    );
  };
}
