import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';
import { readEnv } from './env.ts';

const parse = (environment: Record<string, string>) => parseConfig(readEnv(environment), '/srv/nwms');
const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    parse(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('configuration', () => {
  it('is complete with no variable set', () => {
    const config = parse({});
    expect(config.feed.choice).toBe('auto');
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8080, loopbackOnly: true });
  });

  it('reports every fault at once and names variable and fix', () => {
    const faults = faultsOf({ PORT: 'eighty', FEED: 'weather', NWS_POLL_SECONDS: '5', CORS_ORIGINS: 'https://a.example/path' });
    expect(faults).toHaveLength(4);
    expect(faults.join()).toMatch(/PORT.*FEED|FEED.*PORT/s);
  });

  it('refuses auto on a deployment, live data without a contact, replay without a capture', () => {
    expect(faultsOf({ PUBLIC_URL: 'https://alerts.example.org' }).join()).toContain('FEED must be chosen');
    expect(faultsOf({ FEED: 'nws' }).join()).toContain('NWS_CONTACT');
    expect(faultsOf({ FEED: 'replay' }).join()).toContain('REPLAY_PATH');
  });

  it('never polls the weather service faster than every 30 s, but a stand-in on loopback may be', () => {
    expect(faultsOf({ FEED: 'nws', NWS_CONTACT: 'ops@example.org', NWS_POLL_SECONDS: '29' })).toHaveLength(1);
    expect(
      parse({ FEED: 'nws', NWS_CONTACT: 'ops@example.org', NWS_BASE_URL: 'http://127.0.0.1:9', NWS_POLL_SECONDS: '2' }).feed.pollSeconds,
    ).toBe(2);
  });

  it('MAP-01: draws streets only from a configured https template, with its credit', () => {
    expect(parse({}).map.streetTiles).toBeNull();
    const url = 'https://tiles.example.org/{z}/{x}/{y}.png';
    expect(parse({ MAP_TILES_URL: url }).map.streetTiles).toEqual({
      url,
      origin: 'https://tiles.example.org',
      maxZoom: 19,
      attribution: { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
    });
    expect(parse({ MAP_TILES_URL: url, MAP_TILES_ATTRIBUTION: 'our own' }).map.streetTiles?.attribution).toEqual({
      text: 'our own',
      url: null,
    });
    for (const bad of [
      'http://tiles.example.org/{z}/{x}/{y}',
      'https://tiles.example.org/{z}',
      'https://a@tiles.example.org/{z}/{x}/{y}',
      'tiles',
    ])
      expect(faultsOf({ MAP_TILES_URL: bad })).toHaveLength(1);
  });

  it('gives single roles only to processes that can share a database', () => {
    expect(faultsOf({ ROLES: 'api' }).join()).toContain('DATABASE_URL');
    expect(faultsOf({ ROLES: 'api,ingest', DATABASE_URL: 'postgres://localhost/nwms' }).join()).toContain('ROLES must be one of');
    expect(parse({ ROLES: 'api', DATABASE_URL: 'postgres://localhost/nwms' }).roles).toEqual({ api: true, ingest: false, jobs: false });
    expect(parse({}).roles).toEqual({ api: true, ingest: true, jobs: true });
  });

  it('treats every address but loopback as public', () => {
    expect(parse({ HOST: '0.0.0.0', FEED: 'simulator' }).http.loopbackOnly).toBe(false);
    expect(parse({ HOST: '::1' }).http.loopbackOnly).toBe(true);
  });
});
