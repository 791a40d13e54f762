import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { generate, generatedFiles, replaceRegion, ROOT } from '../../docs/generate.js';
import { testNotice } from '../../src/features/notices/compose-notice.js';
import { NOTICE_KINDS } from '../../src/core/domain/notice.js';
import { signatureHeaders } from '../../src/features/notices/post-notice.js';

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

const NOTICES = readFileSync(join(ROOT, 'docs/watch.md'), 'utf8');

/** First cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = NOTICES.slice(NOTICES.indexOf(heading)).split(/\n##+ /)[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
}

test('docs/watch.md names every field of a message, and no other', () => {
  expect(firstCells('### The message')).toEqual(Object.keys(testNotice('id', new Date(), 'w')));
});

test('docs/watch.md names every kind of notice, and no other', () => {
  expect(firstCells('## Notices')).toEqual([...NOTICE_KINDS]);
});

test('docs/watch.md names the headers of the signature', () => {
  expect(firstCells('### The signature')).toEqual(Object.keys(signatureHeaders('secret', 0, '')));
});
