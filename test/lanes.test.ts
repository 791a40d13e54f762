import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import config from '../vitest.config.js';
import { homeOf, OPT_IN, TEST_FILES, ZONE_TESTS } from './lanes.js';

interface Lane {
  readonly include?: readonly string[];
  readonly globalSetup?: readonly string[];
  readonly projects?: readonly { readonly test: Lane }[];
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** The files that `vitest --mode NAME` runs. */
function filesIn(mode: string): string[] {
  const { test } = config({ mode, command: 'serve' }) as { test: Lane };
  return (test.projects ?? [{ test }]).flatMap((project) => project.test.include ?? []);
}

const OPT_INS = ['fleet', 'deploy', 'browser', 'sources', 'hard'];

describe('lanes', () => {
  it('leave no test file out', () => {
    const all = new Set([...filesIn('daily'), ...filesIn('full')]);
    expect(filesIn('test').filter((file) => !all.has(file))).toEqual([]);
    for (const name of OPT_INS) filesIn(name).forEach((file) => all.add(file));
    expect([...all].toSorted()).toEqual(TEST_FILES);
    expect(filesIn('test').filter((file) => Object.keys(OPT_IN).includes(homeOf(file)))).toEqual([]);
  });

  it('repeat in test:full what npm test shortens', () => {
    const shortened = TEST_FILES.filter(
      (file) => homeOf(file) === 'integration' && /\bDAILY\b/.test(readFileSync(file, 'utf8')),
    );
    expect(shortened).toContain('test/cli/commands.test.ts');
    expect(filesIn('full')).toEqual(expect.arrayContaining(shortened));
  });

  it('list only what there is', () => {
    for (const place of [...Object.values(OPT_IN).flat(), ...ZONE_TESTS])
      expect(
        TEST_FILES.some((file) => file.startsWith(place)),
        place,
      ).toBe(true);
  });

  it('start no Postgres for unit tests, and no command', () => {
    const { test } = config({ mode: 'unit', command: 'serve' }) as { test: Lane };
    expect(test.globalSetup).toBeUndefined();
    for (const project of test.projects ?? []) expect(project.test.globalSetup).toBeUndefined();
    expect(homeOf('test/lanes.test.ts')).toBe('unit');
    for (const file of filesIn('unit')) expect(homeOf(file), file).toBe('unit');
    // One each: through a helper of a helper, and by itself.
    expect(homeOf('test/cli/plan.test.ts')).toBe('integration');
    expect(homeOf('test/cli/exit-codes.process.test.ts')).toBe('slow');
    expect(homeOf('test/core/ledger/ledger.test.ts')).toBe('integration');
    expect(homeOf('test/cli/output/metrics-file.test.ts')).toBe('integration');
  });

  it('have a script each', () => {
    const modes = Object.values(scripts).flatMap((script) => /--mode (\S+)/.exec(script)?.[1] ?? []);
    expect(modes.toSorted()).toEqual(['daily', 'full', 'unit', ...OPT_INS].toSorted());
    expect(() => filesIn('nowhere')).toThrow('--mode nowhere: one of test, unit, daily');
  });
});
