import { expect, test } from 'vitest';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { SEVERITY_STEP, drawingOrder } from './map-features.ts';
import { partsOf } from './marker-images.ts';

test('MAP-02: every severity has a marker of its own, and an unknown one the marker of Unknown', () => {
  for (const severity of SEVERITIES) expect(partsOf(`marker-${severity}`)).toEqual({ kind: 'marker', severity });
  expect(partsOf('marker-Dreadful')).toEqual({ kind: 'marker', severity: 'Unknown' });
  expect(partsOf('dash-3')).toBeNull();
});

test('MAP-02: gathered markers carry the severity of the worst of them', () => {
  for (const severity of SEVERITIES) {
    const rank = Math.floor(drawingOrder(severity, 1_000) / SEVERITY_STEP);
    expect(partsOf(`cluster-${rank}-1.2k`)).toEqual({ kind: 'cluster', severity, count: '1.2k' });
  }
});
