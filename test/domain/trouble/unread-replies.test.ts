import { expect, test } from 'vitest';
import { observe } from '../../../src/domain/compose-notice.js';
import { findTroubles } from '../../../src/domain/trouble/find-troubles.js';
import { describeTrouble, PLAIN_WORDS } from '../../../src/domain/trouble/describe-trouble.js';
import { type EntityFacts, NOTHING_KNOWN, type TroubleFacts } from '../../../src/domain/trouble/trouble.js';

const HINT = 'platform.replies.reference (now reference) names the field in the reply to Put Company.';
const AT = new Date('2026-03-02T08:00:00Z');
const COUNTS = {
  ...{ synced: 0, pending: 0, invalid: 0, rejected: 0, waiting: 0, deferred: 2, vanished: 0, blocked: 0 },
};

function facts(deferred: number): TroubleFacts {
  const companies: EntityFacts = {
    ...{ name: 'companies', area: 'jobs', parent: null, reasons: null, deferral: null, vanished: null },
    state: {
      ...{ hold: null, pushHold: null, approval: null, inDoubtSince: null },
      lastSuccessAt: new Date(AT.getTime() - 7_200_000),
      lastSweepAt: AT,
    },
    counts: { ...COUNTS, deferred },
  };
  const stop = {
    code: 'reply-not-understood',
    message: 'HTTP 200 was not understood',
    hint: HINT,
    retryAt: null,
    since: AT,
  };
  const areas = [{ area: 'jobs', stop, credentials: 'unknown', refusedCause: null }] as const;
  return { ...NOTHING_KNOWN, now: AT, entities: [companies], areas, staleAfterMs: 3_600_000 };
}

test('the trouble is the stopped area, its hint names the setting, and no record is listed as deferred beside it', () => {
  const [trouble, ...rest] = findTroubles(facts(2)).filter(({ kind }) => kind !== 'stale');
  expect(rest).toEqual([]);
  expect(trouble).toMatchObject({ kind: 'area-stopped', code: 'reply-not-understood', count: 2 });
  if (!trouble) return;
  expect(describeTrouble(trouble, 'en', PLAIN_WORDS)).toMatchObject({
    title: expect.stringContaining('sending stopped') as string,
    sentence: expect.stringContaining('its replies are not understood') as string,
    hint: HINT,
  });
});

test('with nothing left to send it is over', () => {
  expect(findTroubles(facts(0)).filter(({ kind }) => kind === 'area-stopped')).toEqual([]);
});

test('a notice that an entity is stale names the setting', () => {
  const stale = observe(facts(2)).find(({ trouble }) => trouble === 'stale');
  expect(stale?.found?.help).toContain(HINT);
});
