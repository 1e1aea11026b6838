import { Check, Copy, Link } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useServices } from '../../../api/services.ts';
import { Button } from '../../../ui/button.tsx';

const SHOWN_MS = 2_500;

/** Copies the alert as the API gives it, or the address of this popup. */
export function CopyButtons({ id, link }: { id: string; link: string }) {
  const { api } = useServices();
  const path = `/alerts/${encodeURIComponent(id)}`;
  const json = async () => JSON.stringify(JSON.parse(await (await api.file(path)).text()), null, 2);
  const cap = async () => (await api.file(path, { format: 'cap' })).text();
  return (
    <>
      <CopyAs label="Copy JSON" text={json} icon={<Copy size={15} aria-hidden="true" />} />
      <CopyAs label="Copy CAP" text={cap} icon={<Copy size={15} aria-hidden="true" />} />
      <CopyAs label="Copy link" text={() => Promise.resolve(link)} icon={<Link size={15} aria-hidden="true" />} />
    </>
  );
}

/** The text is handed over as a promise: a copy after the press has been forgotten would be refused by some browsers. */
function CopyAs({ label, text, icon }: { label: string; text: () => Promise<string>; icon: ReactNode }) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (!result) return undefined;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    try {
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text().then((value) => new Blob([value], { type: 'text/plain' })) }),
      ]);
      setResult('copied');
    } catch {
      setResult('failed');
    }
  };
  return (
    <>
      <Button onClick={() => void copy()}>
        {result === 'copied' ? <Check size={15} aria-hidden="true" className="text-ok" /> : icon}
        {result === 'copied' ? 'Copied' : result === 'failed' ? 'Could not copy' : label}
      </Button>
      <output className="sr-only">{result === 'copied' ? `${label}: done` : result === 'failed' ? `${label}: failed` : ''}</output>
    </>
  );
}
