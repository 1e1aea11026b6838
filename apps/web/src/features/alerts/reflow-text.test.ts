import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reflowText } from './reflow-text.ts';

test('lines of one paragraph are joined, paragraphs, bullets and tables are kept', () => {
  const text = [
    'In hilly terrain there are hundreds of low water crossings which are',
    'potentially dangerous in heavy rain.',
    '',
    '* WHEN...Until 3 PM PST this afternoon, and then again from Tuesday',
    'evening on.',
    '* WHERE...Chelan',
    'Station          Stage    Flood stage at noon today in feet',
    'Skagit           31.2     28',
  ].join('\n');
  expect(reflowText(text)).toBe(
    [
      'In hilly terrain there are hundreds of low water crossings which are potentially dangerous in heavy rain.',
      '',
      '* WHEN...Until 3 PM PST this afternoon, and then again from Tuesday evening on.',
      '* WHERE...Chelan',
      'Station          Stage    Flood stage at noon today in feet',
      'Skagit           31.2     28',
    ].join('\n'),
  );
});

test('no word is added, lost, changed or moved, whatever the text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 70 })), (lines) => {
      const text = lines.join('\n').replaceAll('\r', '');
      expect(reflowText(text).replaceAll(/[ \n]/g, '')).toBe(text.replaceAll(/[ \n]/g, ''));
    }),
  );
});
