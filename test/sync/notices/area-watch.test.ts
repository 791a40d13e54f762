import { expect, test } from 'vitest';
import type { SyncEvent } from '../../../src/domain/events.js';
import { createAreaWatch } from '../../../src/sync/notices/area-watch.js';

const stopped = (code: 'authentication-refused' | 'breaker-open'): SyncEvent => ({
  type: 'area-stopped',
  area: 'jobs',
  code,
  message: 'the words of the platform',
  hint: 'Check it.',
});
const sent = (outcome: 'accepted' | 'refused' | 'deferred' | 'handed-back'): SyncEvent => ({
  type: 'record-sent',
  area: 'jobs',
  entity: 'companies',
  key: '1',
  outcome,
  statusCode: 200,
  message: null,
});

test.each<[string, SyncEvent[], { cause: string } | null | undefined]>([
  ['nothing is known before a reply', [], undefined],
  ['a stop for another reason says nothing', [stopped('breaker-open')], undefined],
  ['a record without a verdict says nothing', [sent('deferred'), sent('handed-back')], undefined],
  ['401 and 403 say that we are refused', [stopped('authentication-refused')], { cause: 'Check it.' }],
  [
    'a breaker does not take that back',
    [stopped('authentication-refused'), stopped('breaker-open')],
    { cause: 'Check it.' },
  ],
  ['an acceptance does', [stopped('authentication-refused'), sent('accepted')], null],
  ['so does the refusal of a record', [stopped('authentication-refused'), sent('refused')], null],
])('%s', (_, events, refused) => {
  const watch = createAreaWatch();
  events.forEach((event) => watch.note(event));
  expect(watch.evidence().get('jobs')?.refused).toEqual(refused);
});

test('tells whether something is known now that was not before', () => {
  const watch = createAreaWatch();
  const events = [
    sent('accepted'),
    sent('accepted'),
    stopped('authentication-refused'),
    stopped('authentication-refused'),
  ];
  expect(events.map((event) => watch.note(event))).toEqual([true, false, true, false]);
});
