import { SETTING_ROWS, settingsDefaults } from '@nwms/contract';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { applyChange } from './check-change.ts';

const rules = {
  capabilities: { mailServer: false },
  urlFault: (url: string) => (url.startsWith('https://') ? null : 'must begin with https://'),
};
const apply = (body: unknown) => applyChange(settingsDefaults(), body, rules);
const refusal = (body: unknown) => {
  try {
    apply(body);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, names: error.fields?.map((field) => field.name), detail: error.detail };
    throw error;
  }
  return null;
};
const under = (path: string, value: unknown): unknown => path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

describe('a change of the settings', () => {
  it('SETT-04 SETT-05 SETT-06: starts from the documented values', () => {
    expect(settingsDefaults()).toMatchObject({
      system: {
        api_rate_limit_default: 100,
        daily_limit_default: 10_000,
        monthly_limit_default: 100_000,
        jwt_expiration_hours: 24,
        max_failed_login_attempts: 5,
        lockout_duration_minutes: 30,
      },
      security: {
        password_min_length: 6,
        require_email_verification: false,
        enable_session_logging: true,
        cors_origins: [],
        trusted_ips: [],
      },
      notifications: {
        enable_email_notifications: false,
        admin_email: null,
        webhook_url: null,
        alert_thresholds: { high_error_rate: 10, unusual_activity: 1000 },
      },
    });
  });

  it('keeps what is absent and takes what is given, to the leaf', () => {
    const next = apply({ notifications: { alert_thresholds: { high_error_rate: 7.5 } }, system: { jwt_expiration_hours: 8 } });
    expect(next.notifications.alert_thresholds).toEqual({ high_error_rate: 7.5, unusual_activity: 1000 });
    expect(next.system).toMatchObject({ jwt_expiration_hours: 8, max_failed_login_attempts: 5 });
  });

  it.each(SETTING_ROWS.flatMap(({ path, rule }) => ('min' in rule ? [[path, rule.min, rule.max] as const] : [])))(
    '%s takes its bounds and refuses what is beyond them',
    (path, min, max) => {
      for (const edge of [min, max]) expect(refusal(under(path, edge))).toBeNull();
      for (const beyond of [min - 1, max + 1, -1, 1e300])
        expect(refusal(under(path, beyond))).toMatchObject({ code: 'settings.unsafe', names: [path] });
      for (const other of ['5', null, [5], {}, true, Number.NaN])
        expect(refusal(under(path, other))).toMatchObject({ code: 'request.invalid' });
    },
  );

  it('names every fault at once, in the order of the table', () => {
    expect(refusal({ security: { password_min_length: 2 }, system: { lockout_duration_minutes: 0, jwt_expiration_hours: 25 } })).toEqual({
      code: 'settings.unsafe',
      names: ['system.jwt_expiration_hours', 'system.lockout_duration_minutes', 'security.password_min_length'],
      detail: 'system.jwt_expiration_hours must be from 1 to 24.',
    });
  });

  it('refuses members it does not know, however they are called', () => {
    for (const body of [{ debug: true }, { system: { port: 1 } }, { system: { jwt_expiration_hours: 2, toString: 1 } }, { version: 3 }])
      expect(refusal(body)).toMatchObject({ code: 'request.unknown_field' });
    for (const body of [null, [], 'x', 5, { system: [] }, { system: null }])
      expect(refusal(body)).toMatchObject({ code: 'request.invalid' });
  });

  it('takes exact origins only', () => {
    const refused = [
      '*',
      'https://*.example.org',
      'http://example.org',
      'https://example.org/',
      'https://Example.org',
      'https://example.org/x',
      'null',
      'https://example.org:443',
      'https://a@example.org',
    ];
    for (const origin of refused)
      expect(refusal({ security: { cors_origins: [origin] } }), origin).toMatchObject({ code: 'settings.unsafe' });
    const taken = [
      'https://example.org',
      'https://example.org:8443',
      'http://localhost:5173',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
    ];
    expect(refusal({ security: { cors_origins: taken } })).toBeNull();
    expect(refusal({ security: { cors_origins: [taken[0], taken[0]] } })).toMatchObject({ code: 'settings.unsafe' });
    const many = Array.from({ length: 51 }, (_, n) => `https://h${n}.example.org`);
    expect(refusal({ security: { cors_origins: many } })).toMatchObject({ code: 'settings.unsafe' });
    expect(refusal({ security: { cors_origins: many.slice(1) } })).toBeNull();
  });

  it('takes addresses and networks that are not half the internet', () => {
    for (const entry of [
      '0.0.0.0/0',
      '10.0.0.0/15',
      '::/0',
      '2001:db8::/31',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      'example.org',
      '10.0.0',
      '1.2.3.4/8/8',
      'fe80::1%eth0',
    ])
      expect(refusal({ security: { trusted_ips: [entry] } }), entry).toMatchObject({ code: 'settings.unsafe' });
    expect(refusal({ security: { trusted_ips: ['192.0.2.1', '10.0.0.0/16', '2001:db8::/32', '2001:db8::1'] } })).toBeNull();
  });

  it('says what is missing for a setting that needs something, and adjusts nothing', () => {
    expect(refusal({ security: { require_email_verification: true } })).toMatchObject({ code: 'settings.unsupported' });
    expect(refusal({ notifications: { enable_email_notifications: true, admin_email: 'a@example.org' } })?.detail).toContain('mail server');
    expect(() =>
      applyChange(
        settingsDefaults(),
        { notifications: { enable_email_notifications: true } },
        { ...rules, capabilities: { mailServer: true } },
      ),
    ).toThrow('admin_email is required');
    expect(refusal({ notifications: { webhook_url: 'http://127.0.0.1/' } })).toMatchObject({ code: 'settings.unsafe' });
    expect(refusal({ notifications: { admin_email: 'not one' } })).toMatchObject({ code: 'settings.unsafe' });
  });
});
