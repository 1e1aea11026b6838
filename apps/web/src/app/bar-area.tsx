import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Strips } from './strips.tsx';

/**
 * Strips and bar, at the top of the window wherever one has scrolled to: what must be said of the weather is in sight beside every figure.
 * `--bar-height` tells where the rest of the window begins, for what sticks below.
 */
export function BarArea({ children }: { children?: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const root = document.documentElement.style;
    const tell = () => {
      const height = `${element.offsetHeight}px`;
      // Whatever changes it, the whole page is styled anew.
      if (getComputedStyle(document.documentElement).getPropertyValue('--bar-height') !== height) root.setProperty('--bar-height', height);
    };
    const observer = new ResizeObserver(tell);
    tell();
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty('--bar-height');
    };
  }, []);
  return (
    <div ref={area} className="sticky top-0 z-20">
      <Strips />
      {children}
    </div>
  );
}
