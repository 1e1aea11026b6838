import { useEffect, useState } from 'react';

/** Milliseconds after the last key before the server is asked. */
const ASK_DELAY_MS = 300;

/** Text of a search box whose settled value lives in the address. `pending` from the first key until it got there. */
export function useTypedSearch(settled: string, settle: (text: string) => void) {
  const [text, setText] = useState(settled);
  const [known, setKnown] = useState(settled);
  // The address changed by itself (back, a link): it wins over the box.
  if (known !== settled) {
    setKnown(settled);
    if (text.trim() !== settled) setText(settled);
  }
  useEffect(() => {
    if (text.trim() === settled) return;
    const timer = setTimeout(() => settle(text.trim()), ASK_DELAY_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts a search
  }, [text]);
  return { text, setText, pending: text.trim() !== settled };
}
