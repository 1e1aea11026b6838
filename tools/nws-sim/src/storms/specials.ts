import { clusterOf, countyArea, forecastArea, marineArea } from './areas.ts';
import { hazard, plainHazard } from './hazards.ts';
import { HOUR_MS, MINUTE_MS, type Product, type Segment, type Turn } from './model.ts';

/** Air quality and hydrologic outlooks: no VTEC, no `ends`, severity Unknown; re-issued over the same areas without references (trap 9). */
export function playPlain(turn: Turn, code: 'AQA' | 'ESF', hours: [number, number]): Product[] {
  const areas = clusterOf(turn.atlas, turn.office, turn.random.whole(1, 6), turn.random).map(forecastArea);
  if (areas.length === 0) return [];
  const rounds = turn.random.whole(1, 3);
  return Array.from({ length: rounds }, (_, round): Product => {
    const at = turn.at + round * turn.random.whole(9, 14) * HOUR_MS;
    const expires = at + turn.random.whole(hours[0], hours[1]) * HOUR_MS;
    return {
      at,
      segments: [[{ action: null, hazard: plainHazard(code), office: turn.office, etn: 0, areas, begin: at, end: null, expires }]],
    };
  });
}

/** A county's own message: SAME code only, identifier not a URN, no UGC, no zones, no onset (trap 10). */
export function playCivil(turn: Turn): Product[] {
  const [county] = clusterOf(turn.atlas, turn.office, 1, turn.random);
  if (!county) return [];
  const expires = turn.at + turn.random.whole(4, 10) * HOUR_MS;
  return [
    {
      at: turn.at,
      segments: [
        [
          {
            action: null,
            hazard: plainHazard('CEM'),
            office: turn.office,
            etn: 0,
            areas: [countyArea(county)],
            begin: turn.at,
            end: null,
            expires,
            civil: true,
          },
        ],
      ],
    },
  ];
}

/** A tsunami test: VTEC class T, status Test (trap 12). */
export function playTsunamiTest(turn: Turn): Product[] {
  const areas = clusterOf(turn.atlas, turn.office, 3, turn.random).map(forecastArea);
  const expires = turn.at + HOUR_MS;
  const text = 'TEST...Tsunami warning communications test...TEST. THIS_MESSAGE_IS_FOR_TEST_PURPOSES_ONLY.';
  return [
    {
      at: turn.at,
      segments: [
        [
          {
            action: 'NEW',
            vtecClass: 'T',
            hazard: hazard('TS.W'),
            office: turn.office,
            etn: turn.etn(0),
            areas,
            begin: turn.at,
            end: expires,
            expires,
            test: true,
            text,
          },
        ],
      ],
    },
  ];
}

/**
 * Alaska's coastal waters forecast: every zone a message of its own, every cycle a NEW with another made-up number and no reference
 * to the last one (trap 23). What the next forecast does not repeat simply stays until its end.
 */
export function playAlaskaWaters(turn: Turn): Product[] {
  const waters = turn.atlas.marineOf(turn.office);
  const count = turn.random.whole(4, 9);
  const offset = turn.random.whole(0, Math.max(0, waters.length - count));
  const zones = waters.slice(offset, offset + count);
  const dangers = zones.map(() => hazard(turn.random.pick(['SC.Y', 'GL.W', 'GL.W', 'SR.W', 'UP.W'] as const)));
  const end = turn.at + turn.random.whole(20, 40) * HOUR_MS;
  return [0, 1, 2].flatMap((round): Product[] => {
    const at = turn.at + (round * 12 * 60 + turn.random.whole(-20, 20) * Number(round > 0)) * MINUTE_MS;
    if (at > end - HOUR_MS) return [];
    const segments = zones.map((zone, index): Segment[] => {
      const danger = dangers[index] ?? hazard('GL.W');
      const etn = turn.etn(round * 10 + index);
      return [
        {
          action: 'NEW',
          hazard: danger,
          office: turn.office,
          etn,
          areas: [marineArea(zone)],
          begin: turn.at,
          end,
          expires: at + 13 * HOUR_MS,
          replaces: true,
        },
      ];
    });
    return [{ at, segments }];
  });
}
