import { Component, type ComponentType, lazy, type ReactNode, Suspense, useMemo, useState } from 'react';

export interface PartProps {
  /** Imports the component; the same function at every render. */
  load: () => Promise<ComponentType>;
  /** What stands there while it comes. */
  waiting?: ReactNode;
  /** What stands there when it could not be had, or broke; `again` tries anew. A component of its module, not made in a render. */
  Failed: ComponentType<{ again: () => void }>;
}

/** A part of a screen that is loaded by itself. When that fails, the part says so and the screen around it stays. */
export function Part({ load, waiting = null, Failed }: PartProps) {
  const [attempt, setAttempt] = useState(0);
  // oxlint-disable-next-line react/exhaustive-deps -- a lazy component keeps its failure: every attempt needs a new one
  const Loaded = useMemo(() => lazy(async () => ({ default: await load() })), [load, attempt]);
  return (
    <Boundary key={attempt} instead={<Failed again={() => setAttempt((before) => before + 1)} />}>
      <Suspense fallback={waiting}>
        <Loaded />
      </Suspense>
    </Boundary>
  );
}

/** React catches errors of what is below by classes only. The page's collector hears of them by itself. */
export class Boundary extends Component<{ instead: ReactNode; onFailed?: () => void; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }
  override componentDidCatch(): void {
    this.props.onFailed?.();
  }
  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}
