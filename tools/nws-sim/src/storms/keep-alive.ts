import type { RawFeature } from '../feature.ts';
import { isoWithOffset, wmoTime } from '../local-time.ts';
import { SENDER } from './write-message.ts';

/** Upstream monitors itself with a Test Message for Montgomery, MD, every ten minutes of real time. */
const EVERY_MS = 600_000;

interface World {
  tag: string;
}

/** Keep-alives with from < sent <= to, oldest first. */
export function keepAlivesSent(world: World, from: number, to: number): RawFeature[] {
  const sent: RawFeature[] = [];
  for (let number = Math.floor(from / EVERY_MS) + 1; number * EVERY_MS <= to; number += 1) sent.push(keepAlive(world, number));
  return sent;
}

export function keepAliveById(world: World, id: string): RawFeature | undefined {
  const start = `urn:nwms:sim:${world.tag}-KEEPALIVE-`;
  const number = id.startsWith(start) ? Number(id.slice(start.length)) : Number.NaN;
  return Number.isSafeInteger(number) ? keepAlive(world, number) : undefined;
}

function keepAlive(world: World, number: number): RawFeature {
  const at = number * EVERY_MS;
  const id = `urn:nwms:sim:${world.tag}-KEEPALIVE-${number}`;
  const url = `https://nws-sim.invalid/alerts/${id}`;
  const words = 'Monitoring message only. Please disregard.';
  const sent = isoWithOffset(at, 0);
  return {
    id: url,
    type: 'Feature',
    geometry: null,
    properties: {
      '@id': url,
      '@type': 'wx:Alert',
      id,
      areaDesc: 'Montgomery',
      geocode: { SAME: ['024031'], UGC: ['MDC031'] },
      affectedZones: ['https://api.weather.gov/zones/county/MDC031'],
      references: [],
      sent,
      effective: sent,
      onset: null,
      expires: isoWithOffset(at + EVERY_MS, 0),
      ends: null,
      status: 'Test',
      messageType: 'Alert',
      category: 'Met',
      severity: 'Unknown',
      certainty: 'Unknown',
      urgency: 'Unknown',
      event: 'Test Message',
      sender: SENDER,
      senderName: 'NWS',
      headline: null,
      description: words,
      instruction: words,
      response: 'None',
      parameters: { AWIPSidentifier: ['KEPWBC'], WMOidentifier: [`NZUS91 KWBC ${wmoTime(at)}`], BLOCKCHANNEL: ['CMAS', 'EAS', 'NWEM'] },
      scope: 'Public',
      code: 'IPAWSv1.0',
      language: 'en-US',
      web: 'http://www.weather.gov',
      eventCode: { SAME: ['NMN'], NationalWeatherService: ['TST'] },
    },
  };
}
