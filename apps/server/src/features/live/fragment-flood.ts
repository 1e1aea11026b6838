/** Run as a process of its own by a test: 40 peers that each send 16,000 pieces of one message and never its end. Prints how many were cut off. */
import { frameBytes, RawPeer } from './raw-peer.ts';

const PEERS = 40;
const PIECES = 16_000;

const peers = await Promise.all(Array.from({ length: PEERS }, () => RawPeer.open(Number(process.argv[2]))));
const pieces = Buffer.concat([
  frameBytes(0x01, Buffer.from('{')),
  ...Array.from({ length: PIECES }, () => frameBytes(0x00, Buffer.from('a'))),
]);
for (const peer of peers) peer.socket.write(pieces);
await Promise.all(peers.map((peer) => peer.gone()));
process.stdout.write(String(peers.length));
