import type { SendTest } from '../features/settings/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { OutboundGuard } from '../platform/outbound-guard.ts';

/** Posts one message through the outbound guard and says in a sentence how it went. */
export function webhookTest(deps: { clock: Clock; guard: OutboundGuard }): SendTest {
  return async (url, signal) => {
    const body = JSON.stringify({
      type: 'settings.test',
      message: 'This is a test message of NWMS. Nothing happened.',
      sent_at: new Date(deps.clock.now()).toISOString(),
    });
    const result = await deps.guard.post({ url, body, signal, headers: { 'content-type': 'application/json', 'user-agent': 'NWMS' } });
    if (result.kind !== 'answered') return { delivered: false, detail: result.detail };
    const delivered = result.status >= 200 && result.status < 300;
    return { delivered, detail: `The address answered with status ${result.status}.` };
  };
}
