import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import config from '../vitest.config.js';
import { filesOf, homeOf, OPT_IN, TEST_FILES, type OptIn } from './lanes.js';

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

const OPT_INS = Object.keys(OPT_IN) as OptIn[];

describe('lanes', () => {
  it('leave no test file out', () => {
    const once = [...filesIn('test'), ...OPT_INS.flatMap((name) => filesOf(name))];
    expect(once.toSorted()).toEqual(TEST_FILES);
    const full = new Set([...filesIn('daily'), ...filesIn('rest')]);
    expect(filesIn('test').filter((file) => !full.has(file))).toEqual([]);
    for (const name of OPT_INS) expect(filesIn(name), name).toEqual(expect.arrayContaining(filesOf(name)));
  });

  it('repeat in test:rest what npm test shortens', () => {
    const shortened = TEST_FILES.filter(
      (file) => homeOf(file) === 'integration' && /\bDAILY\b/.test(readFileSync(file, 'utf8')),
    );
    expect(shortened).toContain('test/cli/commands.test.ts');
    expect(filesIn('rest')).toEqual(expect.arrayContaining(shortened));
  });

  it('list only what there is', () => {
    for (const place of Object.values(OPT_IN).flat())
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
    expect(homeOf('test/state/ledger/ledger.test.ts')).toBe('integration');
    expect(homeOf('test/cli/output/metrics-file.test.ts')).toBe('integration');
  });

  it('have a script each', () => {
    const modes = Object.values(scripts).flatMap((script) => /--mode (\S+)/.exec(script)?.[1] ?? []);
    expect(modes.toSorted()).toEqual(['daily', 'unit', 'rest', 'time-zones', ...OPT_INS].toSorted());
    expect(scripts['test:full']).toBe('npm test && npm run test:rest');
    expect(() => filesIn('nowhere')).toThrow('--mode nowhere: one of test, unit, daily');
  });
});
