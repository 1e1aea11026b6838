import { describe, expect, test } from 'vitest';
import { ALL_FIELDS, SETTING_DEFAULTS, SETTING_SECTIONS, SETTING_TABS, TAB_LABELS } from './setting-fields.ts';
import { boundsText, changedPaths, changeOf, checkSettings, draftOf, rebase, valueAt, wordsOf } from './settings-draft.ts';
import { someSettings } from './settings-fixture.ts';

const base = draftOf(someSettings());
const field = (path: string) => {
  const found = ALL_FIELDS.find((one) => one.path === path);
  if (!found) throw new Error(path);
  return found;
};

describe('fields', () => {
  test('SETT-01: three tabs, named System, Security, Notifications', () => {
    expect(SETTING_TABS.map((tab) => TAB_LABELS[tab])).toEqual(['System', 'Security', 'Notifications']);
  });

  test('SETT-04, SETT-05, SETT-06: every setting stands on the tab of its group, with the default of the specification', () => {
    const defaults = someSettings();
    for (const tab of SETTING_TABS) {
      const paths = SETTING_SECTIONS[tab].flatMap((section) => section.fields.map(({ path }) => path));
      const groups = new Set(paths.map((path) => path.split('.')[0]));
      expect([...groups].toSorted()).toEqual(tab === 'system' ? ['limits', 'system'] : [tab]);
    }
    for (const { path } of ALL_FIELDS) expect([path, valueAt(defaults, path)]).toEqual([path, SETTING_DEFAULTS[path]]);
    expect(new Set(ALL_FIELDS.map(({ path }) => path)).size).toBe(Object.keys(SETTING_DEFAULTS).length);
  });
});

describe('what is sent', () => {
  test('changed paths alone, in their groups, as numbers, lists and null', () => {
    const draft = {
      ...base,
      'system.jwt_expiration_hours': '12',
      'security.cors_origins': ' https://a.example.org \n\nhttps://b.example.org',
      'notifications.alert_thresholds.high_error_rate': '12.5',
      'notifications.webhook_url': '',
    };
    const paths = changedPaths(base, draft);
    expect(changeOf(draft, paths)).toEqual({
      system: { jwt_expiration_hours: 12 },
      security: { cors_origins: ['https://a.example.org', 'https://b.example.org'] },
      notifications: { alert_thresholds: { high_error_rate: 12.5 } },
    });
  });

  test('a value typed back, or blanks around it, is no change', () => {
    expect(changedPaths(base, { ...base, 'system.jwt_expiration_hours': ' 24 ' })).toEqual([]);
  });

  test('nonsense in a number is a change that is refused, not one that is forgotten', () => {
    const draft = { ...base, 'system.jwt_expiration_hours': 'a day' };
    expect(changedPaths(base, draft)).toEqual(['system.jwt_expiration_hours']);
    expect([...checkSettings(draft, someSettings().bounds, ['system.jwt_expiration_hours']).values()]).toEqual([
      'Session length must be a whole number',
    ]);
  });
});

describe('what is refused before it is sent', () => {
  const told = (over: Record<string, string | boolean>) => [
    ...checkSettings({ ...base, ...over }, someSettings().bounds, Object.keys(over)).values(),
  ];

  test.each([
    [{ 'system.max_failed_login_attempts': '2' }, 'Failed sign-ins before a lock must be between 3 and 20'],
    [{ 'system.daily_limit_default': '0' }, 'Default daily limit must be at least 1'],
    [{ 'notifications.webhook_url': 'http://example.org' }, 'Webhook URL must be an https address'],
    [{ 'notifications.webhook_url': 'javascript:alert(1)' }, 'Webhook URL must be an https address'],
    [{ 'notifications.admin_email': 'nobody' }, 'Admin email must be one valid address'],
    [{ 'notifications.enable_email_notifications': true }, 'Admin email is required while email notifications are on'],
    [
      { 'security.cors_origins': Array.from({ length: 51 }, (_, at) => `https://${at}.example.org`).join('\n') },
      'Allowed origins may have at most 50 entries, not 51',
    ],
  ])('%o', (over, fault) => expect(told(over)).toEqual([fault]));

  test('values at the bounds are accepted', () => {
    expect(told({ 'system.max_failed_login_attempts': '3' })).toEqual([]);
    expect(told({ 'system.max_failed_login_attempts': '20' })).toEqual([]);
  });

  test('bounds are told in words', () => {
    expect(boundsText({ min: 1, max: 10_000 })).toBe('1 to 10,000');
    expect(boundsText({ min: 1 })).toBe('at least 1');
    expect(boundsText({ max_items: 50 })).toBe('at most 50 entries');
    expect(boundsText({ max: 2048 }, 'url')).toBe('up to 2,048 characters');
    expect(boundsText(undefined)).toBeNull();
  });
});

describe('when somebody else saved meanwhile', () => {
  test('my edits stay, theirs are taken over, and both are told', () => {
    const mine = { ...base, 'system.jwt_expiration_hours': '12', 'system.lockout_duration_minutes': '45' };
    const theirs = { ...base, 'system.jwt_expiration_hours': '8', 'security.password_min_length': '10' };
    const { draft, meanwhile } = rebase(base, mine, theirs);
    expect(draft).toEqual({ ...theirs, 'system.jwt_expiration_hours': '12', 'system.lockout_duration_minutes': '45' });
    expect(meanwhile).toEqual([
      { field: field('system.jwt_expiration_hours'), before: '24', now: '8', mine: '12' },
      { field: field('security.password_min_length'), before: '6', now: '10', mine: null },
    ]);
    expect(changedPaths(theirs, draft)).toEqual(['system.jwt_expiration_hours', 'system.lockout_duration_minutes']);
  });

  test('values are told in words, with their unit', () => {
    expect(wordsOf(field('system.jwt_expiration_hours'), '24')).toBe('24 hours');
    expect(wordsOf(field('security.enable_session_logging'), true)).toBe('on');
    expect(wordsOf(field('notifications.webhook_url'), '')).toBe('empty');
  });
});
