import type { ErrorRow } from '@nwms/contract';

/** Mounts the viewer on the document. A file of its own, because inline scripts are not allowed. */
export const REFERENCE_START = `Scalar.createApiReference('#reference', {
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  proxyUrl: '',
  metaData: { title: 'NWMS API reference' },
});
`;

export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>NWMS API reference</title>
</head>
<body>
<noscript>The machine-readable reference is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>; error codes at <a href="/docs/errors">/docs/errors</a>.</noscript>
<div id="reference"></div>
<script src="/docs/viewer.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Every stable code with its meaning and what to do; anchors are the codes, as error bodies link them. */
export function errorsPage(errors: Record<string, ErrorRow>): string {
  const rows = Object.entries(errors)
    .map(
      ([code, row]) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${row.status}</td><td>${escape(row.message)}</td><td>${row.retry ? 'yes' : 'no'}</td><td>${escape(row.help)}</td></tr>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>NWMS error codes</title>
<style>
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);padding:.5rem;text-align:left;vertical-align:top}
tr:target{background:color-mix(in srgb,orange 20%,transparent)}
</style>
</head>
<body>
<h1>Error codes</h1>
<p>Errors are <code>application/problem+json</code> with <code>error</code> (the stable code), <code>message</code>, <code>detail</code>, <code>request_id</code> and <code>timestamp</code>. <a href="/docs">API reference</a></p>
<table>
<thead><tr><th>Code</th><th>Status</th><th>Title</th><th>Retry</th><th>Meaning and what to do</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</body>
</html>
`;
}
