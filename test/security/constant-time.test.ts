import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(`src/${name}`, 'utf8') }));

it('signatures and tokens are compared in constant time, in these two places', () => {
  const comparing = sources.filter(({ text }) => /\btimingSafeEqual\(/.test(text)).map(({ name }) => name);
  expect(comparing.sort()).toEqual(['core/contract/signature.ts', 'dashboard/access.ts']);
});
