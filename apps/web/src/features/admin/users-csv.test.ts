import { expect, test } from 'vitest';
import { someUser } from './user-fixture.ts';
import { usersCsv } from './users-csv.ts';

test('E5: a name that looks like a formula is exported as text, and no password or secret is in the file', () => {
  const text = usersCsv([someUser({ full_name: '=HYPERLINK("http://evil.example","x")', notes: 'a "quoted"\r\nline' })]);
  expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
  expect(text).toContain('"a ""quoted""\r\nline"');
  expect(text.split('\r\n')[0]).not.toMatch(/password|hash|token/);
});
