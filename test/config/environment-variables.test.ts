import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentReader } from '../../src/config/read-named-config.js';
import { configFolder } from './config-folder.js';

it('reads a variable', () => {
  expect(environmentReader({ A: 'x' }, '/')('A')).toEqual({ value: 'x' });
});

it('reads the file that NAME_FILE names and cuts one line feed', () => {
  const folder = configFolder({ secret: ' s3cret\n\n', windows: 'x\r\n' });
  const read = environmentReader({ A_FILE: join(folder, 'secret'), B_FILE: 'windows', B: '' }, folder);
  expect([read('A'), read('B')]).toEqual([{ value: ' s3cret\n' }, { value: 'x' }]);
});

it('refuses NAME and NAME_FILE together', () => {
  const read = environmentReader({ A: 'x', A_FILE: '/run/secrets/a' }, '/');
  expect(read('A')).toEqual({ problem: 'both A and A_FILE are set; unset one of them' });
});

it('refuses a file that is not UTF-8, and cuts a byte order mark', () => {
  const folder = configFolder({ marked: '\uFEFFx' });
  writeFileSync(join(folder, 'latin'), Buffer.from('caf\xe9', 'latin1'));
  const read = environmentReader({ A_FILE: 'latin', B_FILE: 'marked' }, folder);
  expect(read('A')).toEqual({ problem: expect.stringContaining('latin, which is not UTF-8') as string });
  expect(read('B')).toEqual({ value: 'x' });
});

it('names a file that is not there', () => {
  const read = environmentReader({ A_FILE: '/nowhere/a' }, '/');
  expect(read('A')).toEqual({ problem: 'A_FILE names /nowhere/a, which does not exist' });
});

it('knows nothing of an unset variable, also when its NAME_FILE is empty', () => {
  expect(environmentReader({ A_FILE: '' }, '/')('A')).toEqual({ value: null });
});
