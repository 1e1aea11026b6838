import { cursorText } from './cursor.ts';
import type { LogEntry } from '../alerts/types.ts';

/** How bytes reach one reader: WebSocket text frames or server-sent events. */
export type Encoding = 'ws' | 'sse';

/** One message, ready for any reader. `id`: the cursor a reader may keep after it (LV23), null where it must not. */
export interface Message {
  type: string;
  id: string | null;
  json: string;
}

/** A final text frame as a server sends it (RFC 6455 5.2: no mask). Made once, written as it is to every socket. */
export function textFrame(json: string): Buffer {
  const length = Buffer.byteLength(json);
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = 0x81;
  if (header === 2) {
    frame[1] = length;
  } else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(json, header);
  return frame;
}

/** JSON has no raw line ends, so one `data` line always suffices. */
export function eventFrame({ type, id, json }: Message): Buffer {
  return Buffer.from(`${id === null ? '' : `id: ${id}\n`}event: ${type}\ndata: ${json}\n\n`);
}

export const encode = (encoding: Encoding, message: Message): Buffer => (encoding === 'ws' ? textFrame(message.json) : eventFrame(message));

/** The wire form of a log entry: `alert` for first issues (LV17), `update` for everything else (LV18). The alert itself is spliced in as stored. */
export function entryMessage(entry: LogEntry, epoch: string): Message {
  const cursor = cursorText(epoch, entry.seq);
  const type = entry.kind === 'issued' ? 'alert' : 'update';
  const head = JSON.stringify({
    type,
    seq: entry.seq,
    cursor,
    at: new Date(entry.at).toISOString(),
    kind: entry.kind,
    channels: entry.channels,
  });
  if (type === 'alert') return { type, id: cursor, json: `${head.slice(0, -1)},"alert":${entry.alertJson}}` };
  const update = JSON.stringify({
    kind: entry.kind,
    event_id: entry.eventId,
    id: entry.messageId,
    version: entry.version,
    state: entry.state,
    state_reason: entry.stateReason,
    is_active: entry.isActive,
    summary: entry.summary,
    diff: entry.diff,
  });
  return { type, id: cursor, json: `${head.slice(0, -1)},"update":${update.slice(0, -1)},"alert":${entry.alertJson}}}` };
}
