import { describe, expect, it } from 'vitest';
import { createAgents, readAgent } from './agents.ts';

const CASES: readonly (readonly [string, string, string | null])[] = [
  ['', 'unknown', null],
  ['   ', 'unknown', null],
  ['curl/8.5.0', 'client', 'curl'],
  ['python-requests/2.32.3', 'client', 'python-requests'],
  ['Python/3.12 aiohttp/3.10.5', 'client', 'aiohttp'],
  ['node', 'client', 'node'],
  ['okhttp/4.12.0', 'client', 'okhttp'],
  ['Go-http-client/2.0', 'client', 'Go-http-client'],
  ['nwms-client/0.1.0', 'client', 'nwms-client'],
  ['axios/1.7.9', 'client', 'axios'],
  ['PostmanRuntime/7.43.0', 'client', 'Postman'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot', 'Googlebot'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bot', 'bingbot'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'bot', 'facebookexternalhit'],
  [
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'bot',
    'Googlebot',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'desktop',
    'Chrome Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'desktop',
    'Microsoft Edge Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'desktop', 'Firefox Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'desktop',
    'Safari macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'mobile',
    'Safari iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'mobile',
    'Chrome Android',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'mobile',
    'Safari iOS',
  ],
  ['something nobody has heard of', 'unknown', null],
  ['Mozilla/5.0', 'unknown', null],
  ['WeatherStation/1.2 (ops at example.org)', 'client', 'Other'],
  // An address of a page is how crawlers present themselves.
  ['Station/1.2 (+https://example.org)', 'bot', 'Other'],
  ['MyWeatherApp/2.1 (iPhone; iOS 18.0)', 'client', 'Other'],
  ['Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)', 'desktop', 'Internet Explorer Windows'],
];

describe('API-14: what a User-Agent says, the first rule that holds', () => {
  it.each(CASES)('%s is %s', (text, device, name) => {
    const { browser, os, agent, ...read } = readAgent(text);
    expect([read.device, agent ?? (browser === null ? null : `${browser} ${os}`)]).toEqual([device, name]);
  });
  it('any bytes are read in little time, and nothing of them is kept that a database or a page would choke on', () => {
    const wild = [
      '\u0000'.repeat(50),
      'x\ud800y',
      `bot\u0000bot`,
      '('.repeat(8_000),
      `Mozilla/5.0 ${'a '.repeat(4_000)}bot`,
      'curl/'.repeat(2_000),
    ];
    for (const text of wild) {
      const { agent, browser, os } = readAgent(text);
      for (const kept of [agent, browser, os].filter((one) => one !== null)) {
        expect(kept.length).toBeLessThanOrEqual(40);
        expect(kept).not.toMatch(/\p{Cc}|\p{Cs}/u);
      }
    }
    const started = performance.now();
    for (let n = 0; n < 200; n += 1) readAgent(`Mozilla/5.0 (${'a;'.repeat(n * 20)}`);
    // Bounded input: 200 of them are milliseconds each even on a busy machine.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
  it('what was read once comes from memory', () => {
    const agentOf = createAgents();
    expect(agentOf('curl/8.5.0')).toBe(agentOf('curl/8.5.0'));
  });
  it('nobody fills the figures with names of crawlers that do not exist', () => {
    const agentOf = createAgents();
    const names = new Set(Array.from({ length: 5_000 }, (_, n) => agentOf(`made-up-${n}-bot/1.0`).agent));
    expect(names.size).toBeLessThanOrEqual(301);
    expect(names).toContain('Other');
  });
});
