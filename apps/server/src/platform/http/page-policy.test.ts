import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '@nwms/testkit';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import { createHttpServer } from './server.ts';
import { loadWebFiles, pageFallback } from './web-files.ts';

describe('what a page may load', () => {
  let app: FastifyInstance;
  const dir = mkdtempSync(join(tmpdir(), 'nwms-pages-'));
  beforeAll(async () => {
    writeFileSync(join(dir, 'index.html'), '<!doctype html><title>NWMS</title>');
    const page = pageFallback(loadWebFiles(dir));
    app = await createHttpServer({ clock: fakeClock(0), log: silentLog, corsOrigins: () => [], trustedProxies: [], secure: false, page });
  });
  afterAll(async () => {
    await app.close();
    rmSync(dir, { recursive: true });
  });
  const policyOf = async (path: string) => {
    const { headers } = await app.inject({ url: path, headers: { accept: 'text/html' } });
    const policy = String(headers['content-security-policy']).split(';');
    const of = (name: string) => policy.find((directive) => directive.startsWith(`${name} `)) ?? null;
    return { of, opener: headers['cross-origin-opener-policy'] };
  };

  test('AUTH-03: the sign-in page may run Google sign-in and hear from its popup', async () => {
    const { of, opener } = await policyOf('/login');
    expect(of('script-src')).toBe("script-src 'self' https://accounts.google.com/gsi/client");
    expect(of('frame-src')).toBe('frame-src https://accounts.google.com/gsi/');
    expect(of('connect-src')).toContain('https://accounts.google.com/gsi/');
    expect(of('style-src')).toContain('https://accounts.google.com/gsi/style');
    expect(of('frame-ancestors')).toBe("frame-ancestors 'none'");
    expect(of('base-uri')).toBe("base-uri 'none'");
    expect(of('require-trusted-types-for')).toBeNull();
    expect(opener).toBe('same-origin-allow-popups');
  });

  test.each(['/', '/weather-alerts', '/admin', '/login/more', '/api/v1/none'])('no other answer names another host: %s', async (path) => {
    const { of, opener } = await policyOf(path);
    expect(of('script-src')).toBe("script-src 'self'");
    expect(of('require-trusted-types-for')).toBe("require-trusted-types-for 'script'");
    expect(of('trusted-types')).toBe('trusted-types default');
    expect(of('connect-src')).toBe("connect-src 'self'");
    expect(of('frame-src')).toBeNull();
    expect(opener).toBe('same-origin');
  });

  test('MAP-01: pictures may come from the configured tile server too, and nothing else may', async () => {
    const page = pageFallback(loadWebFiles(dir));
    const common = { clock: fakeClock(0), log: silentLog, corsOrigins: () => [], trustedProxies: [], secure: false, page };
    const mapped = await createHttpServer({ ...common, imageOrigins: ['https://tiles.example.org'] });
    const { headers } = await mapped.inject({ url: '/map', headers: { accept: 'text/html' } });
    await mapped.close();
    const named = String(headers['content-security-policy'])
      .split(';')
      .filter((directive) => directive.includes('tiles.example.org'));
    expect(named.map((directive) => directive.split(' ')[0]).sort()).toEqual(['connect-src', 'img-src']);
  });
});
