import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generate, generatedFiles, replaceRegion, ROOT } from '../../docs/generate.js';

it.each(generatedFiles())('%s says what the code says', async (file) => {
  const path = join(ROOT, file);
  const current = existsSync(path) ? readFileSync(path, 'utf8') : '';
  expect(current, `${file} is stale: run npm run docs`).toBe(await generate(file));
});

it('replaces a marked region and nothing else', () => {
  const text =
    'a\n<!-- generated:x -->\nold\n<!-- /generated -->\nb <!-- generated:y -->1<!-- /generated -->';
  expect(replaceRegion(text, 'x', 'new $&', 'f.md')).toBe(
    'a\n<!-- generated:x -->\n\nnew $&\n\n<!-- /generated -->\nb <!-- generated:y -->1<!-- /generated -->',
  );
});

it('refuses a file without the marks', () => {
  expect(() => replaceRegion('a', 'x', 'new', 'f.md')).toThrow(
    'f.md lacks <!-- generated:x --> … <!-- /generated -->',
  );
});
