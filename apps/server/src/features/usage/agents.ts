import Bowser from 'bowser';
import { isbotMatch } from 'isbot';
import type { Agent } from './types.ts';

/** Agents are free text from outside: longer ones are cut before anything reads them. */
const MAX_LENGTH = 512;
const REMEMBERED = 5_000;
const NAME_MAX = 40;
const MAX_NAMES = 300;

/**
 * HTTP libraries, tools and our SDK, by the first product they name. Asked before the list of crawlers, which has many of them; a crawler
 * that calls itself `compatible` and names its library later stays a crawler.
 */
const CLIENTS: readonly (readonly [RegExp, string])[] = [
  [/^nwms-client\b/i, 'nwms-client'],
  [/^curl\//i, 'curl'],
  [/^libcurl/i, 'libcurl'],
  [/^wget\//i, 'Wget'],
  [/^httpie\//i, 'HTTPie'],
  [/^python-requests\//i, 'python-requests'],
  [/^python-httpx\//i, 'python-httpx'],
  [/^python-urllib|^urllib/i, 'urllib'],
  [/^(?:python\/[\d.]+ )?aiohttp\//i, 'aiohttp'],
  [/^python\//i, 'Python'],
  [/^scrapy\//i, 'Scrapy'],
  [/^node(?:\.js)?(?:\/|$)/i, 'node'],
  [/^undici/i, 'undici'],
  [/^node-fetch/i, 'node-fetch'],
  [/^axios\//i, 'axios'],
  [/^got[ /(]/i, 'got'],
  [/^deno\//i, 'Deno'],
  [/^bun\//i, 'Bun'],
  [/^okhttp\//i, 'okhttp'],
  [/^java\/|^java-http-client/i, 'Java'],
  [/^apache-httpclient\//i, 'Apache-HttpClient'],
  [/^dalvik\//i, 'Dalvik'],
  [/^go-http-client\//i, 'Go-http-client'],
  [/^go-resty\//i, 'go-resty'],
  [/^reqwest\//i, 'reqwest'],
  [/^ruby|^faraday|^rest-client/i, 'Ruby'],
  [/^guzzlehttp\//i, 'GuzzleHttp'],
  [/^php\//i, 'PHP'],
  [/^libwww-perl\//i, 'libwww-perl'],
  [/^lua-resty/i, 'lua-resty'],
  [/^postmanruntime\//i, 'Postman'],
  [/^insomnia\//i, 'Insomnia'],
  [/^powershell\/|\bpowershell\/[\d.]+$/i, 'PowerShell'],
  [/^dart\//i, 'Dart'],
  [/^(?:[\w.-]+\/[\d.]+ )?cfnetwork\//i, 'CFNetwork'],
  [/^alamofire|^swift/i, 'Swift'],
  [/^rust/i, 'Rust'],
  [/^\.net|^dotnet|^restsharp\//i, '.NET'],
  [/^home-?assistant\//i, 'HomeAssistant'],
  [/^esp(?:8266|32)/i, 'ESP'],
  [/^apachebench\/|^autocannon\b|^k6\//i, 'load tool'],
];

const UNKNOWN: Agent = { device: 'unknown', browser: null, os: null, agent: null };
/** Name of what has none that we know. Names are stored and counted by: nobody may invent as many as they like. */
const OTHER = 'Other';
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const CRAWLER = /bot\b|crawl|spider|slurp|scrap/i;
/** RFC 9110 section 10.1.5: a program names itself first. Browsers all say Mozilla. */
const PRODUCT = /^(?!mozilla|opera)[\w.-]+\/\d/i;

/** Reads a User-Agent; the first that holds: none, a program, a crawler, a phone or tablet, another browser, a program we do not know, unknown. */
export function readAgent(text: string): Agent {
  const agent = text
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  if (agent === '') return UNKNOWN;
  const client = CLIENTS.find(([pattern]) => pattern.test(agent));
  if (client) return { device: 'client', browser: null, os: null, agent: client[1] };
  // The list also has rules for "does not look like a browser", which match all of a text: those are no crawlers yet.
  const listed = isbotMatch(agent);
  if (CRAWLER.test(agent) || (listed !== null && listed.length < agent.length))
    return { device: 'bot', browser: null, os: null, agent: botName(agent) };
  const { browser, os, platform } = Bowser.parse(agent);
  if (browser.name && BROWSERS.has(browser.name)) {
    const device = platform.type === 'mobile' || platform.type === 'tablet' ? 'mobile' : 'desktop';
    return { device, browser: browser.name, os: os.name?.slice(0, NAME_MAX) ?? null, agent: null };
  }
  return PRODUCT.test(agent) ? { device: 'client', browser: null, os: null, agent: OTHER } : UNKNOWN;
}

const WORD = /[\w.-]+/g;
const LETTER = /[A-Za-z]/;
const CRAWLER_WORD = /bot|crawler|spider|slurp|preview|monitor|checker|fetcher|externalhit|agent/i;

/** The product that names itself a crawler, e.g. Googlebot of `Mozilla/5.0 (compatible; Googlebot/2.1; ...)`. */
function botName(agent: string): string {
  const words = agent.match(WORD) ?? [];
  const named = words.find((word) => CRAWLER_WORD.test(word) && LETTER.test(word));
  return (named?.slice(named.search(LETTER)) ?? OTHER).slice(0, NAME_MAX);
}

/** The same with a memory: most requests come from a few agents. Crawlers beyond the first few hundred names are "Other". */
export function createAgents(): (text: string) => Agent {
  const known = new Map<string, Agent>();
  const names = new Set<string>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const agent = readAgent(text);
    if (known.size >= REMEMBERED) known.clear();
    const isNamed = agent.agent === null || names.size < MAX_NAMES || names.has(agent.agent);
    if (isNamed && agent.agent !== null) names.add(agent.agent);
    const kept = isNamed ? agent : { ...agent, agent: OTHER };
    // Up to 16 kB of a header would be kept whole.
    if (text.length <= MAX_LENGTH) known.set(text, kept);
    return kept;
  };
}
