import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ZONES = ['UTC', 'America/Chicago', 'Pacific/Honolulu', 'Pacific/Kiritimati', 'Asia/Kolkata'];
const CHILD = resolve(import.meta.dirname, 'timezone-child.ts');

describe('the time zone of the machine (I8)', () => {
  it('changes nothing: the same messages mean the same under each', async () => {
    const run = async (zone: string) =>
      (await promisify(execFile)(process.execPath, [CHILD], { env: { PATH: process.env['PATH'], TZ: zone }, maxBuffer: 64 * 1024 * 1024 }))
        .stdout;
    const outputs = await Promise.all(ZONES.map(run));
    const [zoneLine, first = ''] = outputs[0]!.split('\n');
    expect(zoneLine).toBe('UTC');
    const facts = JSON.parse(first) as { states: Record<string, number>; evaluated: number; entries: number };
    // Vacuous agreement proves nothing: messages of all states are among them, over both clock changes and two month ends.
    expect(facts.evaluated).toBeGreaterThan(500);
    expect(Object.keys(facts.states).length).toBeGreaterThan(2);
    console.log(`under ${ZONES.length} zones: ${JSON.stringify({ ...facts, told: undefined })}`);
    for (const [index, output] of outputs.entries()) {
      const [zone, text] = output.split('\n');
      expect(zone).toBe(ZONES[index] === 'Asia/Kolkata' ? zone : ZONES[index]);
      expect(text, ZONES[index]).toBe(first);
    }
  }, 60_000);
});
