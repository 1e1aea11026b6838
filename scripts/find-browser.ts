import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PATHS = [
  process.env['CHROMIUM_PATH'],
  // Without windows and toolbars: a third less time for the same tests.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const found = () => PATHS.find((path) => path && existsSync(path)) ?? null;

/** Path of an installed Chromium-family browser, or null. */
export function findBrowser(): string | null {
  return found();
}

/** Finds a browser or installs one: the distribution's package where that is possible, else Playwright's own. Null when neither worked. */
export function ensureBrowser(): string | null {
  if (found()) return found();
  console.log('No Chromium found, installing one for the browser tests ...');
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    for (const name of ['chromium-headless-shell', 'chromium']) {
      spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      if (found()) return found();
    }
  }
  spawnSync('npx', ['playwright-core', 'install', 'chromium'], { stdio: 'inherit', shell: process.platform === 'win32' });
  const where = spawnSync(process.execPath, ['-e', "import('playwright-core').then((p) => console.log(p.chromium.executablePath()))"], {
    encoding: 'utf8',
  });
  const path = where.stdout.trim();
  return path && existsSync(path) ? path : null;
}
