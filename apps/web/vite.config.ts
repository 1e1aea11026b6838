import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_ROUTES } from '@nwms/contract';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Development proxies the API to a server on its usual port; NWMS_API names another one. */
// oxlint-disable-next-line node/no-process-env -- a build tool's configuration, not part of the application
const api = process.env['NWMS_API'] ?? 'http://127.0.0.1:3000';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as { version: string };

/** Files that every page begins with. */
const EVERYWHERE = /assets\/(rolldown-runtime|preload|react|around|living)-/;

/**
 * The one font file that English needs, asked for with the document. Found by the style sheet it comes after the first text, which then moves;
 * on the start page, painted before any script, that is the lesser evil and the line is the document's.
 */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const file = Object.keys(bundle ?? {}).find((name) => name.startsWith('assets/inter-latin-wght-normal-') && name.endsWith('.woff2'));
      return file ? [{ tag: 'link', attrs: { rel: 'preload', as: 'font', crossorigin: true, href: `/${file}` }, injectTo: 'head' }] : [];
    },
  },
});

export default defineConfig({
  define: {
    APP_VERSION: JSON.stringify(version),
    // The start page lists endpoints: which of them this version has, and where the reference describes them, is the contract's to say.
    NWMS_SERVED_ROUTES: JSON.stringify(Object.fromEntries(ALL_ROUTES.map(({ method, path, area }) => [`${method} ${path}`, area]))),
  },
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFont()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1300,
    manifest: true,
    // Every browser of the target preloads modules by itself.
    modulePreload: {
      polyfill: false,
      // Whoever imports something on demand has these already.
      resolveDependencies: (_file, names, { hostType }) => (hostType === 'js' ? names.filter((name) => !EVERYWHERE.test(name)) : names),
    },
    rolldownOptions: {
      // Two ways in: every screen made in the browser, and the start page, whose document comes painted.
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, 'src/start.ts')],
      output: {
        // The first page names every file of the others: a letter less of each is felt there, and 42 bits tell versions apart.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // One file instead of many that every page needs: fewer requests, and it compresses better.
        codeSplitting: {
          groups: [
            { name: 'preload', test: /preload-helper/, priority: 3 },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // What stands around every screen, in one file instead of a dozen.
            {
              name: 'around',
              priority: 1,
              test: /src\/(app\/(bar-area|strips|shell\/logo)|api\/use-freshness|lib\/use-(now|online)|lib\/freshness|features\/health\/queries|ui\/(severity|copy-button))\.|lucide-react\/dist\/esm\/icons\/(flask-conical|wifi-off|refresh-cw|book-open|copy|check|sun|moon)\./,
            },
            {
              name: 'living',
              test: /node_modules\/@tanstack\/(router-core|react-router|history|store|react-store)\/|src\/(app\/living|lib\/use-pathname)\./,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: api },
      '/health': { target: api },
      '/docs': { target: api },
      '/ws': { target: api, ws: true },
    },
  },
});
