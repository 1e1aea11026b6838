/** The live feed over a log in memory, in a process of its own, told what to do over IPC. */
import { startLiveServer } from '@nwms/server/features/live/live-server';
import type { LiveOrder, LiveReport } from './live-orders.ts';

const server = await startLiveServer();
const tell = (report: LiveReport) => process.send?.(report);

process.on('message', (order: LiveOrder) => {
  if (order.do === 'fill') {
    server.world.commit(...Array.from({ length: order.count }, (_, n) => ({ eventId: `F${n}`, description: 'x'.repeat(order.bytes) })));
    tell({ did: 'fill', latest: server.world.log.latestSeq() });
  } else if (order.do === 'broadcast') {
    const at = process.hrtime.bigint();
    server.world.commit({ eventId: 'storm', description: 'x'.repeat(order.bytes) });
    tell({ did: 'broadcast', at: String(at) });
  } else {
    tell({ did: 'look', rssBytes: process.memoryUsage().rss, reads: server.world.reads(), connections: server.live.connections() });
  }
});
tell({ did: 'listen', port: server.port });
