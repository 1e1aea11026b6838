/** Bare `node:http` in a process of its own: sends the bytes of a file, or 304. Arguments: file, content encoding (or `-`), status. Prints its port. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [path = '', encoding = '-', status = '200'] = process.argv.slice(2);
const body = path === '-' ? Buffer.alloc(0) : readFileSync(path);
const headers: Record<string, string> = { ETag: 'W/"1"' };
if (status === '200') {
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(body.length);
  if (encoding !== '-') headers['Content-Encoding'] = encoding;
}
const server = createServer((_request, response) => {
  response.writeHead(Number(status), headers);
  response.end(status === '200' ? body : undefined);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
