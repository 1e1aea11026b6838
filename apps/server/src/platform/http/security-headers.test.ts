import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { installSecurityHeaders, securityHeaders } from './security-headers.ts';

const asRecord = (headers: readonly (readonly [string, string])[]) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

describe('security headers', () => {
  it('documents run scripts of this server alone, and pictures come from where the operator said besides', () => {
    const { 'content-security-policy': policy = '', ...others } = asRecord(
      securityHeaders({ secure: false, imageOrigins: ['https://tiles.example.org'] }),
    );
    const directives = new Map(policy.split(';').map((line) => [line.split(' ')[0], line.split(' ').slice(1)]));
    expect(directives.get('script-src')).toEqual(["'self'"]);
    expect(directives.get('img-src')).toContain('https://tiles.example.org');
    expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
    expect(directives.get('require-trusted-types-for')).toEqual(["'script'"]);
    expect(others).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'strict-origin-when-cross-origin' });
  });

  it('browsers are bound to https where the server is reached by it, and only there', () => {
    expect(asRecord(securityHeaders({ secure: true }))['strict-transport-security']).toMatch(/^max-age=31536000/);
    expect(asRecord(securityHeaders({ secure: false }))).not.toHaveProperty('strict-transport-security');
  });

  it('every answer has them: of a route, of none, of one that fails, and one that writes by itself', async () => {
    const app = Fastify();
    const headers = securityHeaders({ secure: true });
    installSecurityHeaders(app, headers);
    app.get('/fine', () => 'fine');
    app.get('/broken', () => {
      throw new Error('broken');
    });
    app.get('/own', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'Content-Type': 'text/event-stream' });
      reply.raw.end();
    });
    for (const url of ['/fine', '/broken', '/nothing', '/own']) {
      const answer = await app.inject(url);
      expect(answer.headers, url).toMatchObject(asRecord(headers));
    }
    await app.close();
  });
});
