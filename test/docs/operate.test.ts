import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../docs/generate.js';
import { ERROR_CODES } from '../../src/core/domain/errors.js';
import { EXIT_CODES } from '../../src/cli/exit-codes.js';
import { GUARD_TEXTS } from '../../src/features/troubles/guard-texts.js';
import { listSettings } from '../../docs/settings-list.js';
import { settingsSchema } from '../../src/core/config/schema.js';
import { headingsOf, proseOf } from './read-pages.js';

const PAGE = proseOf('docs/operate.md');
const CODES = proseOf('docs/reference/codes.md');
const RULES = join(ROOT, 'deploy', 'prometheus');

/** Alerts of the rules; none where the folder is not there. */
function alerts(): string[] {
  if (!existsSync(RULES)) return [];
  return readdirSync(RULES)
    .filter((name) => /\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name))
    .flatMap((name) => alertsOf(readFileSync(join(RULES, name), 'utf8')));
}

const alertsOf = (rules: string): string[] =>
  [...rules.matchAll(/^\s*-?\s*alert:\s*['"]?([A-Za-z0-9_]+)/gm)].map(([, name = '']) => name);

it('there is a heading for every alert', () => {
  const headings = headingsOf('docs/operate.md');
  expect(alerts().filter((alert) => !headings.includes(alert))).toEqual([]);
});

it('alerts are found in the rules of Prometheus', () => {
  const rules =
    'groups:\n  - rules:\n      - alert: One\n        expr: up == 0\n      - expr: x\n        alert: Two\n';
  expect(alertsOf(rules)).toEqual(['One', 'Two']);
});

it('every exit code, error code and guard has its line', () => {
  const names = [
    ...EXIT_CODES.map(({ code }) => `| ${code} `),
    ...[...Object.keys(ERROR_CODES), ...Object.keys(GUARD_TEXTS)].map((name) => `- \`${name}\``),
  ];
  expect(names.filter((name) => !CODES.includes(name))).toEqual([]);
});

it('settings that the pages name are there', () => {
  const settings = listSettings(settingsSchema).map(({ path }) => path.join('.'));
  const sections = new Set(settings.map((path) => path.split('.')[0]));
  const named = [...`${PAGE}${CODES}`.matchAll(/`([a-z]+\.[a-zA-Z.]+)/g)].map(([, name = '']) => name);
  const wrong = named.filter(
    (name) =>
      sections.has(name.split('.')[0]) &&
      !settings.some((path) => path === name || path.startsWith(`${name}.`)),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

it('the words on the screen are sorted, and no entry is long', () => {
  const entries =
    (PAGE.split('\n## Words on the screen\n')[1] ?? '').split('\n## ')[0]?.split('\n### ').slice(1) ?? [];
  const words = entries.map((entry) => entry.split('\n')[0]?.toLowerCase());
  expect(words.length).toBeGreaterThan(25);
  expect(words).toEqual(words.toSorted());
  const long = entries.filter((entry) => entry.split(/\s+/).length > 88);
  expect(long.map((entry) => entry.split('\n')[0])).toEqual([]);
});

it('no heading comes twice, because help finds a section by its heading', () => {
  const headings = ['docs/operate.md', 'docs/reference/codes.md', 'docs/fleet/README.md'].flatMap(headingsOf);
  expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([]);
});
