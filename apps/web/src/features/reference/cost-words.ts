import type { ReferenceOperation } from '@nwms/contract/read-reference';

/** What a call costs, as a sentence. */
export function costWords({ cost, dearer, allowance }: Pick<ReferenceOperation, 'cost' | 'dearer' | 'allowance'>): string {
  if (allowance === 'tiles') return 'Counts in the allowance of map tiles alone.';
  if (allowance === 'stream') return 'Costs 1 unit when it opens and 1 for every full 5 minutes.';
  const plain = cost === 0 ? 'Costs nothing.' : `Costs ${units(cost)}; an answer 304 costs nothing.`;
  const more = dearer.map(({ units: of, parameters, formats, rowsOver }) => {
    const when = parameters ? `with ${parameters.join(', ')}` : `as ${(formats ?? []).join(', ')} of more than ${rowsOver ?? 0} rows`;
    return `${units(of)} ${when}`;
  });
  return [plain, more.length > 0 ? `It costs ${more.join('; ')}.` : ''].filter(Boolean).join(' ');
}

const units = (count: number): string => (count === 1 ? '1 unit' : `${count} units`);
