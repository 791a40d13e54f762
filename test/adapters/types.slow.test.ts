import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

const OWN = `import type { Adapter } from 'placement-sync/adapter';
export const own: Adapter = {
  request: (request, { sign }) => ({ ...request, headers: { ...request.headers, ...sign(request) } }),
  reply: ({ status }) => (status === 202 ? { accepted: { state: 'pending' } } : undefined),
  webhook: (request, { verify }) => (verify(request) ? { events: [] } : { refuse: 'not signed' }),
};
`;

/** What only an eye on the types would find. */
const WRONG = `// @ts-check
/** @type {import('placement-sync/adapter').Adapter} */
export default {
  reply: () => ({ accept: true }),
};
`;

test(
  'a partner’s compiler reads the types of the packed package, and finds what is wrong',
  { timeout: 120_000 },
  () => {
    const folder = temporaryFolder();
    const modules = join(folder, 'node_modules');
    const unpacked = join(modules, 'placement-sync');
    mkdirSync(unpacked, { recursive: true });
    const options = ['--silent', '--ignore-scripts', '--pack-destination', folder];
    const packed = execFileSync('npm', ['pack', ...options], { encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', join(folder, packed), '-C', unpacked, '--strip-components=1']);
    symlinkSync(join(process.cwd(), 'node_modules/@types'), join(modules, '@types'));
    cpSync('config/adapters', folder, { recursive: true });
    writeFileSync(join(folder, 'own.ts'), OWN);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compile = (...files: readonly string[]): string => {
      const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
      const settings = '--noEmit --strict --allowJs --module NodeNext --target ES2022 --types node'.split(
        ' ',
      );
      return spawnSync(process.execPath, [tsc, ...settings, ...files], { cwd: folder, encoding: 'utf8' })
        .stdout;
    };
    const examples = [
      'business-codes',
      'moderation',
      'oauth-token',
      'other-errors',
      'other-signature',
      'webhook-wrapper',
    ];
    writeFileSync(join(folder, 'wrong.mjs'), WRONG);
    const said = compile('own.ts', 'wrong.mjs', ...examples.map((name) => `${name}.mjs`));
    expect(said.match(/^[^ ].*$/gm)).toEqual([expect.stringMatching(/^wrong\.mjs\(\d+,\d+\): error TS/)]);
  },
);
