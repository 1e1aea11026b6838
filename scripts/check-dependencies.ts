/**
 * Dependency rules: generated from the slice table, checked with dependency-cruiser. Zero modules is a failure: a checker that reads nothing
 * also finds nothing.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cruise, type IForbiddenRuleType, type ICruiseResult } from 'dependency-cruiser';
import { SERVER_SLICES, WEB_SLICES } from './slices.ts';

const root = resolve(import.meta.dirname, '..');
process.chdir(root);
const FEATURES = 'apps/server/src/features';

const rule = (name: string, comment: string, from: object, to: object): IForbiddenRuleType =>
  ({ name, comment, severity: 'error', from, to }) as IForbiddenRuleType;

// Support of tests is named fixture and counts as tests.
const testFiles = String.raw`(\.(test|e2e)|fixture)\.tsx?$`;

const sliceRules = Object.entries(SERVER_SLICES).flatMap(([slice, allowed]) => [
  rule(
    `server-${slice}-edges`,
    `Slice ${slice} may import ${allowed.join(', ') || 'no other slice'}; add the edge to scripts/slices.ts if it is meant.`,
    { path: `^${FEATURES}/${slice}/`, pathNot: testFiles },
    { path: `^${FEATURES}/(?!(${[slice, ...allowed].join('|')})/)` },
  ),
  rule(
    `server-${slice}-face`,
    `Other code sees only index.ts and types.ts of slice ${slice}.`,
    { path: '^apps/server/src/', pathNot: [`^${FEATURES}/${slice}/`, testFiles] },
    { path: `^${FEATURES}/${slice}/(?!(index|types)\\.ts$)` },
  ),
]);

const forbidden: IForbiddenRuleType[] = [
  ...sliceRules,
  rule(
    'no-cycles',
    'Break the cycle: move what both need below them.',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  ),
  rule(
    'platform-knows-no-slice',
    'platform is below features and app.',
    { path: '^apps/server/src/platform/' },
    { path: '^apps/server/src/(features|app)/' },
  ),
  rule(
    'features-know-no-app',
    'Composition is above the slices.',
    { path: `^${FEATURES}/`, pathNot: testFiles },
    { path: '^apps/server/src/app/' },
  ),
  rule(
    'domain-imports-nothing',
    'Rules in packages/domain need no input or output.',
    { path: '^packages/domain/src/', pathNot: testFiles },
    { pathNot: '^packages/domain/src/' },
  ),
  rule(
    'contract-below-apps',
    'The contract may use domain vocabulary and typebox only.',
    { path: '^packages/contract/src/', pathNot: testFiles },
    { pathNot: '^(packages/(contract|domain)/src/|node_modules/typebox)' },
  ),
  rule(
    'client-is-portable',
    'The SDK runs in browsers: no node: modules, no server.',
    { path: '^packages/client/src/', pathNot: testFiles },
    { path: '^(apps/|node:)', dependencyTypes: ['core', 'local'] as never },
  ),
  rule(
    'web-knows-no-server',
    'The browser talks to the server through the contract.',
    { path: '^apps/web/src/' },
    { path: '^(apps/server|tools)/' },
  ),
  rule(
    'production-knows-no-tests',
    'testkit and benchmarks are for tests.',
    { path: '^(apps|packages|tools)/.*/src/', pathNot: [testFiles, '^packages/testkit/'] },
    { path: '^(packages/testkit|bench)/' },
  ),
  rule(
    'sql-in-stores',
    'Only stores and platform/db speak to a database.',
    {
      path: '^apps/server/src/',
      pathNot: ['^apps/server/src/platform/db/', String.raw`(store|storage|archive|worker|tables|spans)[\w-]*\.ts$`, testFiles],
    },
    { path: '^(node:sqlite|sqlite$|node_modules/(kysely|pg)/)' },
  ),
  ...WEB_SLICES.map((slice) =>
    rule(
      `web-${slice}-alone`,
      'Web slices never import each other.',
      { path: `^apps/web/src/features/${slice}/` },
      { path: `^apps/web/src/features/(?!${slice}/)` },
    ),
  ),
  rule(
    'web-ui-fetches-nothing',
    'ui/ is below features and api.',
    { path: '^apps/web/src/ui/' },
    { path: '^apps/web/src/(features|app|api)/' },
  ),
];

const folders = readdirSync(join(root, FEATURES), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const undeclared = folders.map((entry) => entry.name).filter((name) => !(name in SERVER_SLICES));
if (undeclared.length > 0) {
  console.error(`Slices missing from scripts/slices.ts: ${undeclared.join(', ')}`);
  process.exit(1);
}

const { output } = await cruise(
  ['apps/server/src', 'apps/web/src', 'packages', 'tools'],
  {
    ruleSet: { forbidden },
    validate: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^apps/web/(dist|test-results)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
  },
  { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'], extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'] },
);
const { summary } = output as ICruiseResult;
for (const violation of summary.violations) console.error(`${violation.rule.name}: ${violation.from} -> ${violation.to}`);
console.log(`${summary.totalCruised} modules, ${summary.violations.length} violations`);
// Fewer modules than this means the checker did not understand the sources.
if (summary.totalCruised < 40 || summary.violations.length > 0) process.exit(1);
