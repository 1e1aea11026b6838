import { Mail, Webhook } from 'lucide-react';
import { useState } from 'react';
import { detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { testChannel } from './queries.ts';

type Channel = 'email' | 'webhook';
const WORDS = { email: 'Send test email', webhook: 'Send test webhook' } as const;
const ICONS = { email: Mail, webhook: Webhook } as const;

/** Sends a test over the channels as they are saved, and keeps what came of it in sight. */
export function ChannelTests({ channels, unsaved }: { channels: readonly Channel[]; unsaved: boolean }) {
  const { api } = useServices();
  const [busy, setBusy] = useState<Channel | null>(null);
  const [result, setResult] = useState<{ ok: boolean; text: string } | null>(null);
  const run = async (channel: Channel) => {
    setBusy(channel);
    setResult(null);
    try {
      const { delivered, detail } = await testChannel(api, channel);
      setResult({ ok: delivered, text: detail });
    } catch (error) {
      setResult({ ok: false, text: detailOf(error, 'Operation failed') });
    }
    setBusy(null);
  };
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-4">
      <div className="flex flex-wrap items-center gap-2">
        {channels.map((channel) => {
          const Icon = ICONS[channel];
          return (
            <Button key={channel} onClick={() => void run(channel)} disabled={busy !== null}>
              <Icon size={15} aria-hidden="true" /> {busy === channel ? 'Sending...' : WORDS[channel]}
            </Button>
          );
        })}
        <p className="text-[13px] text-muted">
          {unsaved ? 'Tests what is saved, without your unsaved changes.' : 'Tests the channels as they are saved.'}
        </p>
      </div>
      <output className={`text-[13px] font-medium break-words ${result?.ok ? 'text-ok' : 'text-bad'}`}>
        {result ? `${result.ok ? 'Delivered' : 'Not delivered'}: ${result.text}` : null}
      </output>
    </div>
  );
}
