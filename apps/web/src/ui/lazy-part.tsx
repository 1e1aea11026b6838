import { type ComponentType, type FunctionComponent, lazy, Suspense, useState } from 'react';
import { Boundary } from './part.tsx';

export interface LazyPart<P extends object> {
  /** Imports the component. */
  load: () => Promise<ComponentType<P>>;
  /** What stands there while it comes; nothing unless given. */
  Waiting?: ComponentType<P>;
  /** What stands there when it could not be had, or broke; `again` tries anew. */
  Failed: ComponentType<P & { again: () => void }>;
}

export interface LoadedPart<P extends object> extends FunctionComponent<P> {
  /** Loads it before it is needed, so that it is there with the press that asks for it. A failure is told where the part stands, then. */
  prepare: () => void;
}

/**
 * A component in a file of its own, declared once where others are imported. Once loaded it is there at once, wherever it stands; when its
 * file cannot be had, it says so in its own place and what is around it stays.
 */
export function lazyPart<P extends object>({ load, Waiting, Failed }: LazyPart<P>): LoadedPart<P> {
  const fresh = () => lazy(async () => ({ default: await load() }));
  // A lazy component keeps its failure: whoever opens the part next needs a new one.
  let current = fresh();
  // Drawn without waiting: after a wait, however short, React shows nothing new for 300 ms.
  let prepared: ComponentType<P> | null = null;
  const pick = (attempt: number) => ({ attempt, Component: prepared ?? (current as unknown as ComponentType<P>) });
  function Loaded(props: P) {
    // Chosen once: another component of the same content would begin anew.
    const [{ attempt, Component }, setPicked] = useState(() => pick(0));
    return (
      <Boundary
        key={attempt}
        instead={<Failed {...props} again={() => setPicked(pick(attempt + 1))} />}
        onFailed={() => (current = fresh())}
      >
        <Suspense fallback={Waiting ? <Waiting {...props} /> : null}>
          <Component {...props} />
        </Suspense>
      </Boundary>
    );
  }
  const prepare = async () => {
    try {
      prepared ??= await load();
    } catch {
      // Asked for again when it is needed.
    }
  };
  return Object.assign(Loaded, { prepare: () => void prepare() });
}
