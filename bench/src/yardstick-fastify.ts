/** A bare Fastify process that registers the same plugins and answers 200 on /health/ready: the yardstick of P11. Prints its port. */
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';

const app = Fastify();
await app.register(helmet);
await app.register(cors, { origin: [] });
await app.register(compress);
app.get('/health/ready', () => ({ ready: true }));
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
