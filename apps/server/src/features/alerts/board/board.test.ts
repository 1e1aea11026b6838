import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, type FakeZone, message, vtec, type World } from '../../../../test/alerts-world.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const POLK: FakeZone = {
  code: 'IAC153',
  type: 'county',
  shape: {
    type: 'Polygon',
    coordinates: [
      [
        [-94, 41],
        [-93, 41],
        [-93, 42],
        [-94, 42],
        [-94, 41],
      ],
    ],
  },
};

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
async function start(options: { zones?: FakeZone[]; start?: boolean } = {}): Promise<World> {
  const world = await createWorld({ at: T0, ...options });
  worlds.push(world);
  return world;
}
const storm = (from: number, until: number | null, key = 'KDMX.SV.W.0106') =>
  message({ vtec: vtec('NEW', key, from, until), sent: T0, onset: from, ends: until, id: `urn:oid:${key}` }, T0);

describe('board', () => {
  it('moves its version and the state of a row on the second of every clock transition', async () => {
    const world = await start();
    world.apply([storm(T0 + 30 * MINUTE, T0 + 2 * HOUR)]);
    const { board } = world.alerts;
    const seen: string[] = [];
    let version = board.version();
    const step = async (ms: number) => {
      await world.clock.advance(ms);
      const state = board.row('KDMX.SV.W.0106.2026')?.alert.state ?? 'gone';
      seen.push(`${state}${board.version() > version ? '+' : '='}`);
      version = board.version();
    };
    await step(30 * MINUTE - 1);
    await step(1);
    // On the way: 60 minutes after it was issued it is no news for the ticker any more. Expiring: a quarter of 90 minutes before the end.
    await step(67.5 * MINUTE - 1);
    await step(1);
    await step(22.5 * MINUTE - 1);
    await step(1);
    expect(seen).toEqual(['upcoming=', 'in_force+', 'in_force+', 'expiring+', 'expiring=', 'ended+']);
  });

  it('keeps what is over for seven days, then lets it go', async () => {
    const world = await start();
    world.apply([storm(T0, T0 + HOUR)]);
    await world.clock.advance(HOUR + 7 * 24 * HOUR - 1);
    expect(world.alerts.board.rows()).toHaveLength(1);
    await world.clock.advance(1);
    expect(world.alerts.board.rows()).toHaveLength(0);
    expect(world.alerts.board.message('urn:oid:KDMX.SV.W.0106')).toBeUndefined();
  });

  it('takes states back when the wall clock is set back (I7)', async () => {
    const world = await start();
    world.apply([storm(T0, T0 + HOUR)]);
    world.clock.jump(2 * HOUR);
    expect(world.alerts.board.rows()[0]?.alert.is_active).toBe(false);
    world.clock.jump(-2 * HOUR);
    expect(world.alerts.board.rows()[0]?.alert.is_active).toBe(true);
  });

  it('does not move for a poll that only confirms what stands', async () => {
    const world = await start();
    world.apply([storm(T0, T0 + HOUR)]);
    const version = world.alerts.board.version();
    await world.clock.advance(30_000);
    world.poll(['urn:oid:KDMX.SV.W.0106']);
    expect(world.alerts.board.version()).toBe(version);
  });

  it('shows an alert that two polls did not list as unconfirmed and active, never as ended (A4)', async () => {
    const world = await start();
    world.apply([storm(T0, T0 + 3 * HOUR)]);
    for (let poll = 0; poll < 2; poll += 1) {
      await world.clock.advance(30_000);
      world.poll([]);
    }
    expect(world.alerts.board.rows()[0]?.alert).toMatchObject({ state: 'unconfirmed', is_active: true });
  });

  it('draws an alert as soon as its zone becomes known, without a new message', async () => {
    const world = await start();
    world.apply([storm(T0, T0 + HOUR)]);
    const { board } = world.alerts;
    const before = board.version();
    expect(board.rows()[0]?.alert).toMatchObject({ geometry_source: 'none', geometry_missing: ['IAC153'] });
    world.places.load([POLK]);
    expect(board.version()).toBeGreaterThan(before);
    expect(board.rows()[0]?.alert).toMatchObject({ geometry_source: 'zones', geometry_missing: [] });
    expect(board.rows()[0]?.alert.zones[0]?.name).toBe('Name of IAC153');
  });

  it('loses nothing that is committed while it loads', async () => {
    const world = await start({ start: false });
    world.apply([storm(T0, T0 + HOUR, 'KDMX.SV.W.0001')]);
    const loading = world.alerts.start();
    world.apply([storm(T0, T0 + HOUR, 'KDMX.SV.W.0002')]);
    await loading;
    expect(
      world.alerts.board
        .rows()
        .map((row) => row.event.eventId)
        .sort(),
    ).toEqual(['KDMX.SV.W.0001.2026', 'KDMX.SV.W.0002.2026']);
    expect(world.alerts.board.position().seq).toBe(world.log.length);
  });

  it('finds an event by event id, by our message id and by the id of an older message', async () => {
    const world = await start();
    world.apply([storm(T0, T0 + HOUR)]);
    await world.clock.advance(10 * MINUTE);
    const update = { vtec: vtec('CON', 'KDMX.SV.W.0106', null, T0 + HOUR), sent: T0 + 10 * MINUTE, ends: T0 + HOUR, id: 'urn:oid:update' };
    world.apply([message(update, T0 + 10 * MINUTE)]);
    const { board } = world.alerts;
    expect(board.row('KDMX.SV.W.0106.2026')?.alert.id).toBe('urn:oid:update');
    expect(board.rowOfMessage('urn:oid:KDMX.SV.W.0106')?.alert.id).toBe('urn:oid:update');
    expect(
      board
        .messageRows()
        .map((row) => `${row.alert.id} ${row.alert.state}`)
        .sort(),
    ).toEqual(['urn:oid:KDMX.SV.W.0106 superseded', 'urn:oid:update in_force']);
  });
});
