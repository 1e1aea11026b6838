import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../../scripts/find-browser.ts';

/** Keeps the browser from talking to anyone but the page's server. */
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];
/** Draws WebGL in software. The browser then composes every frame that way, which takes all the processors there are. */
const SOFTWARE_WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
/** A device without WebGL: pages with a map show what they show there, and cost a third. */
const NO_WEBGL = ['--disable-gpu', '--disable-3d-apis'];

/** `webgl`: only for tests whose subject is the drawn map. */
export async function launchBrowser({ webgl = false } = {}): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error('No Chromium-family browser found');
  return chromium.launch({ executablePath, args: [...FLAGS, ...(webgl ? SOFTWARE_WEBGL : NO_WEBGL)] });
}
