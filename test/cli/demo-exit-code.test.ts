import { expect, test } from 'vitest';
import { demoExitCode } from '../../src/cli/commands/demo.js';

const end = (exitCode: number, ...accepted: readonly number[]) => ({
  exitCode,
  entities: Object.fromEntries(accepted.map((count, index) => [`entity ${index}`, { accepted: count }])),
});
const FIRST = end(3, 200, 900);
const SECOND = end(3, 1, 4);

test.each([
  ['what it promises', FIRST, SECOND, 0],
  ['a first sync that ended otherwise', end(0, 200, 900), SECOND, 1],
  ['a first sync that sent too little', end(3, 200, 800), SECOND, 1],
  ['a second sync that ended otherwise', FIRST, end(5, 1, 4), 1],
  ['a second sync that sent nothing', FIRST, end(3, 0, 0), 1],
  ['a second sync that sent everything again', FIRST, end(3, 5, 5), 1],
])('the demo with %s', (_name, first, second, exitCode) => {
  expect(demoExitCode(first, second)).toBe(exitCode);
});
