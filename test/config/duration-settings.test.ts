import { expect, it } from 'vitest';
import { load, problemsOf, SMALL } from './config-folder.js';

it.each(['baseDelay', 'maxDelay', 'maxPause'])('refuses a retry.%s for which no timer can be set', (name) => {
  expect(problemsOf(() => load(`${SMALL}retry: { ${name}: 25d }\n`))).toEqual([
    expect.stringMatching(new RegExp(`retry\\.${name}: must be at most 24d$`)),
  ]);
});
