import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** What matters and no linter knows. Every message says what to do. */

const root = resolve(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = files.filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.ts'));

describe('repository', () => {
  it('names no machine path and no registry host', () => {
    const forbidden = [/(^|["'\s(])\/work\//m, /registry\.npmjs\.org/, /deb\.debian\.org/, /\/root\//];
    const guilty = files
      .filter((path) => !/\.(png|woff2|ico)$/.test(path) && path !== 'tools/repo-rules.test.ts')
      .filter((path) => forbidden.some((pattern) => pattern.test(text(path))));
    expect(guilty, 'remove the path or host').toEqual([]);
  });

  it('keeps recorded data out', () => {
    const heavy = files.filter(
      (path) =>
        !path.startsWith('docs/pictures/') &&
        path !== 'package-lock.json' &&
        path !== 'packages/contract/openapi.snapshot.json' &&
        readFileSync(join(root, path)).length > 400_000,
    );
    expect(heavy, 'large files do not belong in the repository').toEqual([]);
  });

  it('marks unfinished things with a number only', () => {
    const loose = sources.filter((path) => path !== 'tools/repo-rules.test.ts' && /\b(TODO(?!\(#\d+\))|FIXME|XXX|HACK)\b/.test(text(path)));
    expect(loose, 'write TODO(#issue) or do it').toEqual([]);
  });

  it('has no skipped, focused or empty tests', () => {
    const tests = sources.filter((path) => /\.(test|e2e)\.tsx?$/.test(path) && path !== 'tools/repo-rules.test.ts');
    expect(tests.length).toBeGreaterThan(10);
    const guilty = tests.filter((path) => /\b(it|test|describe)\.(only|todo)\(|\bx(it|describe)\(|expect\(true\)/.test(text(path)));
    expect(guilty, 'finish or delete the test').toEqual([]);
  });

  it('cites only paths that exist in its documentation', () => {
    const pages = files.filter((path) => path.endsWith('.md'));
    const missing = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\(([^)#:]+?)(#[^)]*)?\)/g)]
        .map((match) => match[1] as string)
        .filter((target) => !existsSync(resolve(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(missing, 'fix the link').toEqual([]);
  });

  it('cites only existing folders and files in backticks of ARCHITECTURE.md', () => {
    const cited = [...text('docs/ARCHITECTURE.md').matchAll(/`((?:apps|packages|tools|scripts|features|platform)\/[\w./<>-]+)`/g)].map(
      (match) => match[1] as string,
    );
    const gone = cited.filter(
      (path) => !path.includes('<') && !existsSync(join(root, path)) && !existsSync(join(root, 'apps/server/src', path)),
    );
    expect(cited.length).toBeGreaterThan(8);
    expect(gone, 'ARCHITECTURE.md describes what is').toEqual([]);
  });

  it('keeps the table of settings in the README up to date', () => {
    expect(() => execFileSync(process.execPath, ['scripts/settings-table.ts', '--check'], { cwd: root, stdio: 'pipe' })).not.toThrow();
  });

  it('uses no regular expression that can be made slow (E3)', { timeout: 120_000 }, () => {
    const literals = sources
      // The simulator reads files of whoever runs it, never requests.
      .filter((path) => !/\.(test|e2e)\.tsx?$/.test(path) && !/^(scripts|bench|tools)\//.test(path))
      .flatMap((path) => regexLiterals(path).map((literal) => ({ path, ...literal })));
    const distinct = new Map(literals.map((literal) => [`/${literal.source}/${literal.flags}`, literal.path]));
    expect(distinct.size).toBeGreaterThan(15);
    const slow = [...distinct].filter(([literal]) => {
      const end = literal.lastIndexOf('/');
      return checkSync(literal.slice(1, end), literal.slice(end + 1).replaceAll(/[vd]/g, ''), { timeout: 5_000 }).status === 'vulnerable';
    });
    expect(slow, 'use split, startsWith or a bounded repetition').toEqual([]);
  });
});

function regexLiterals(path: string): { source: string; flags: string }[] {
  const found: { source: string; flags: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, text(path), ts.ScriptTarget.Latest, false, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS));
  return found;
}
