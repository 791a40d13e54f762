import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testNotice } from '../../src/domain/compose-notice.js';
import { NOTICE_KINDS } from '../../src/domain/notice.js';
import { signatureHeaders } from '../../src/telemetry/post-notice.js';

const TEXT = readFileSync(new URL('../../docs/notices.md', import.meta.url), 'utf8');

/** First cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = TEXT.slice(TEXT.indexOf(heading)).split(/\n## /)[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
}

test('docs/notices.md names every field of a message, and no other', () => {
  expect(firstCells('## The message')).toEqual(Object.keys(testNotice('id', new Date(), 'w')));
});

test('docs/notices.md names every kind of notice, and no other', () => {
  expect(firstCells('## What is reported')).toEqual([...NOTICE_KINDS]);
});

test('docs/notices.md names the headers of the signature', () => {
  expect(firstCells('## The signature')).toEqual(Object.keys(signatureHeaders('secret', 0, '')));
});
