import { describe, expect, test } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { EntityName } from '../../../src/core/domain/names.js';
import type { Answer } from '../../../src/core/domain/reply/reply.js';
import type { Claim } from '../../../src/core/ledger/queue/types.js';
import { ClaimCursor } from '../../../src/core/push/claim-cursor.js';
import {
  accepted,
  answered,
  failure,
  page,
  type PushFixture,
  pushFixture,
  refusedWith,
} from './push-fixture.js';

describe('claim cursor', () => {
  const claim = (entity: EntityName, key: string, unacknowledged: boolean) =>
    ({ entity, key, unacknowledged }) as Claim;

  /** Records by entity, in the order of the queue: changes before new ones. */
  function walker(records: Record<string, Claim[]>, names: readonly EntityName[]) {
    const world = { now: 0, asked: [] as string[] };
    const cursor = new ClaimCursor({
      entities: names.map((name) => ({ name, repeatable: name !== 'application-statuses' })),
      claim: (entity, position, limit, changesOnly) => {
        world.asked.push(`${entity}${changesOnly ? ' changes' : ''}`);
        const found = (records[entity] ?? [])
          .filter(({ unacknowledged }) => !changesOnly || !unacknowledged)
          .filter(
            ({ unacknowledged, key }) =>
              !position ||
              (unacknowledged === position.unacknowledged && key > position.key) ||
              (unacknowledged && !position.unacknowledged),
          )
          .slice(0, limit);
        records[entity] = (records[entity] ?? []).filter((one) => !found.includes(one));
        return Promise.resolve(found);
      },
      isHeld: () => false,
      monotonic: () => world.now,
    });
    return { cursor, world, records };
  }

  const keys = (claims: readonly Claim[]) => claims.map(({ key }) => key);

  test('a change that comes up while new records are walked goes before them', async () => {
    const fresh = Array.from({ length: 9 }, (_, index) => claim('companies', `n${index}`, true));
    const { cursor, world, records } = walker({ companies: fresh }, ['companies']);
    expect(keys(await cursor.next(3, true))).toEqual(['n0', 'n1', 'n2']);
    records.companies = [claim('companies', 'changed', false), ...(records.companies ?? [])];
    world.now += 2_000;
    expect(keys(await cursor.next(3, true))).toEqual(['changed', 'n3', 'n4']);
  });

  test('what may not wait is asked for first, and at most twice a second beside a full load', async () => {
    const { cursor, world, records } = walker({ companies: [claim('companies', 'c', true)] }, [
      'companies',
      'application-statuses',
    ]);
    await cursor.next(1, false);
    expect(world.asked[0]).toBe('application-statuses');
    records['application-statuses'] = [claim('application-statuses', 's', true)];
    expect(keys(await cursor.urgent(4))).toEqual([]);
    world.now += 500;
    expect(keys(await cursor.urgent(4))).toEqual(['s']);
  });

  test('that nothing is due is found by looking once, unless something was passed by', async () => {
    const { cursor, world, records } = walker({}, ['companies', 'vacancies']);
    expect(await cursor.next(3, true)).toEqual([]);
    expect(world.asked).toEqual(['companies', 'vacancies']);
    // Both are left alone for a while, so the next look says nothing without a second one.
    records.vacancies = [claim('vacancies', 'v', true)];
    expect(keys(await cursor.next(3, true))).toEqual(['v']);
  });
});

describe('push area', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);
  const kinds = (fixture: { written: readonly { kind: string }[] }) =>
    fixture.written.map(({ kind }) => kind);
  const stateLost = () => new SyncError('state-unavailable', 'The state database is gone.', { scope: 'run' });

  test('everything due is sent once and its outcome written', async () => {
    const fixture = pushFixture(keys(250));
    expect(await fixture.push()).toBeNull();
    expect(fixture.sent).toEqual(keys(250));
    expect(kinds(fixture)).toEqual(Array(250).fill('accepted'));
    expect(fixture.counters).toEqual({ sent: 250, accepted: 250, rejected: 0, deferred: 0 });
  });

  test.each([
    ['a quarter second’s worth of the rate', 40, 10],
    ['at least the concurrency', 4, 4],
    ['without a rate twice the concurrency', null, 8],
  ])('no more than the claim limit is ever under way: %s', async (_name, ratePerSecond, limit) => {
    const fixture = pushFixture(keys(60));
    fixture.areaSettings.ratePerSecond = ratePerSecond;
    let underWay = 0;
    let most = 0;
    fixture.reply = async (key) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return accepted(key);
    };
    await fixture.push();
    expect(fixture.sent).toHaveLength(60);
    expect(most).toBe(limit);
  });

  test('with a hundred outcomes unwritten nothing more is claimed until the state database has taken them', async () => {
    const fixture = pushFixture(keys(1_000));
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    fixture.record = () => gate;
    const push = fixture.push();
    // Far longer than the timer of a group.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const sentSoFar = fixture.sent.length;
    open();
    await push;
    expect(sentSoFar).toBeGreaterThanOrEqual(100);
    expect(sentSoFar).toBeLessThanOrEqual(104);
    expect(fixture.sent).toHaveLength(1_000);
  });

  test('a claim that gets its place later than one timeout is handed back unsent', async () => {
    const fixture = pushFixture(keys(3));
    fixture.areaSettings.concurrency = 3;
    let places = 0;
    fixture.beforePlace = async () => {
      if (places++ === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
      fixture.now = 1_001;
    };
    await fixture.push();
    expect(fixture.sent).toEqual(['k0']);
    expect(kinds(fixture)).toEqual(['accepted', 'handed-back', 'handed-back']);
    expect(fixture.counters).toEqual({ sent: 1, accepted: 1, rejected: 0, deferred: 0 });
  });

  test('the place of an attempt learns when its request left, unless no connection came about', async () => {
    const fixture = pushFixture(keys(3));
    fixture.reply = (key) =>
      key === 'k1' ? { kind: 'unreachable', code: 'ECONNREFUSED', message: 'refused' } : accepted(key);
    await fixture.push();
    expect(fixture.timed).toBe(2);
  });

  test('nothing leaves once the lease is lost; what was claimed is handed back', async () => {
    const fixture = pushFixture(keys(4));
    fixture.beforePlace = () => {
      fixture.leaseHeld = false;
    };
    expect(await fixture.push()).toBeNull();
    expect(fixture.sent).toEqual([]);
    expect(kinds(fixture)).toEqual(Array(4).fill('handed-back'));
  });

  test('a signal ends the claiming; what is under way is finished and written', async () => {
    const fixture = pushFixture(keys(40));
    fixture.reply = (key) => {
      if (key === 'k5') fixture.abort.abort();
      return accepted(key);
    };
    await fixture.push();
    expect(fixture.due.length).toBeGreaterThan(0);
    expect(fixture.written).toHaveLength(40 - fixture.due.length);
    expect(fixture.counters.accepted).toBe(fixture.sent.length);
  });

  test('a lost state database ends the push with its error; the group after the failed one is still tried', async () => {
    const fixture = pushFixture(keys(400));
    let groups = 0;
    fixture.record = () => (++groups === 1 ? Promise.reject(stateLost()) : Promise.resolve());
    await expect(fixture.push()).rejects.toMatchObject({ code: 'state-unavailable' });
    expect(fixture.due.length).toBeGreaterThan(0);
    // All that was claimed but the failed group, whether it was sent or handed back.
    expect(fixture.written.length).toBe(400 - fixture.due.length - 100);
    expect(fixture.written.length).toBeGreaterThan(0);
    // The caller's counters show what was sent, although the push failed.
    expect(fixture.counters.sent).toBe(fixture.sent.length);
  });

  test('a hold that cannot be stored ends the push, and the refusals that caused it are written', async () => {
    const fixture = pushFixture(keys(40));
    fixture.settings.maxRejectedInARow = 3;
    fixture.areaSettings.concurrency = 1;
    fixture.reply = () => answered(422);
    fixture.holdPush = () => Promise.reject(stateLost());
    await expect(fixture.push()).rejects.toMatchObject({ code: 'state-unavailable' });
    expect(kinds(fixture)).toEqual(['refused', 'refused', 'refused']);
  });

  describe('refusals', () => {
    /** Companies one by one, three alike being many. `refused`: which keys, with what. */
    function refusing(count: number, refused: (key: string) => ReturnType<PushFixture['reply']> | null) {
      const fixture = pushFixture(keys(count));
      fixture.settings.maxSameRefusals = 3;
      fixture.areaSettings.concurrency = 1;
      fixture.reply = (key) => refused(key) ?? accepted(key);
      return fixture;
    }
    const some = (names: readonly string[], reply: ReturnType<typeof page>) => (key: string) =>
      names.includes(key) ? reply : null;
    const ends = ({ written }: PushFixture) =>
      Object.fromEntries(written.map((outcome) => [outcome.key, outcome.kind]));
    const PAGE = page(403);
    const JSON_403 = refusedWith(403, 'vacancy belongs to another client');

    test.each([
      ['the first', ['k0', 'k1'], PAGE],
      ['more first ones than are many', ['k0', 'k1', 'k2', 'k3'], PAGE],
      ['the last', ['k8', 'k9'], PAGE],
      ['some in between', ['k2', 'k5', 'k7'], JSON_403],
      ['some in between', ['k2', 'k5', 'k7'], page(404)],
      ['the last', ['k9'], page(400)],
      ['the first', ['k0'], refusedWith(400, 'no')],
    ])('what is refused while others pass is rejected: %s (%j)', async (_name, refused, reply) => {
      const fixture = refusing(10, some(refused, reply));
      expect(await fixture.push()).toBeNull();
      expect(fixture.sent, 'no request more than there are records').toEqual(keys(10));
      expect(fixture.counters).toEqual({
        ...{ sent: 10, accepted: 10 - refused.length, rejected: refused.length, deferred: 0 },
      });
      for (const key of refused) expect(ends(fixture)[key]).toBe('refused');
    });

    test('the words of a record that only a page refused say that a firewall does, and what to look for', async () => {
      const fixture = refusing(3, some(['k1'], PAGE));
      await fixture.push();
      expect(fixture.written.find(({ key }) => key === 'k1')).toMatchObject({
        error:
          'A firewall before the platform refuses this text; look for code, SQL or paths in it. Others pass. It answered HTTP 403: a web page titled "Forbidden"',
      });
    });

    test.each([
      [page(404), 'same-refusal'],
      [page(400), 'same-refusal'],
      [page(403), 'authentication-refused'],
      [JSON_403, 'authentication-refused'],
      [refusedWith(400, 'timestamp must be in WIB'), 'same-refusal'],
      [refusedWith(404, 'no route'), 'same-refusal'],
    ])(
      'where nothing passes and nothing was accepted before, nobody is rejected: %j',
      async (reply, code) => {
        for (const count of [1, 2, 40]) {
          const fixture = refusing(count, () => reply);
          expect(await fixture.push()).toMatchObject({ code });
          expect(fixture.sent.length, 'it does not ask all of them').toBeLessThanOrEqual(6);
          for (const outcome of fixture.written)
            expect(outcome).toMatchObject({ kind: 'handed-back', known: true, tried: true });
          expect(fixture.counters).toEqual({ sent: 0, accepted: 0, rejected: 0, deferred: 0 });
        }
      },
    );

    test('the stop where nothing was ever accepted gives both readings', async () => {
      const fixture = refusing(4, () => refusedWith(400, 'no'));
      expect(await fixture.push()).toMatchObject({
        message: expect.stringMatching(
          /refused the records of companies .* HTTP 400: no; .* accepted nothing/,
        ) as string,
        hint: expect.stringMatching(
          /a setting of platform is wrong.*or all these records lack the same field/,
        ) as string,
      });
    });

    test.each([
      ['a page', PAGE, 1],
      ['a page', page(404), 9],
      ['the platform', refusedWith(422, 'no'), 1],
      ['the platform', refusedWith(400, 'no'), 9],
    ])(
      'a control that passes shows that they are about their records: %s, %j',
      async (_name, reply, count) => {
        const fixture = refusing(count, (key) => (key === 'control' ? null : reply));
        fixture.control = 'control';
        fixture.state = { ...fixture.state, acceptedOnce: true };
        expect(await fixture.push()).toBeNull();
        expect(
          fixture.sent.filter((key) => key === 'control'),
          'one control a push',
        ).toHaveLength(1);
        expect(fixture.counters).toEqual({ sent: count, accepted: 0, rejected: count, deferred: 0 });
        expect(fixture.written.find(({ key }) => key === 'control')).toMatchObject({
          kind: 'accepted',
          control: true,
        });
      },
    );

    test.each([
      [page(404), 1],
      [page(404), 20],
      [refusedWith(400, 'timestamp must be in WIB'), 20],
      [PAGE, 3],
    ])('a control that is refused alike stops the area, and nobody is rejected: %j', async (reply, count) => {
      const fixture = refusing(count, () => reply);
      fixture.control = 'control';
      expect(await fixture.push()).not.toBeNull();
      expect(fixture.sent).toEqual([...keys(Math.min(count, 3)), 'control']);
      expect(new Set(kinds(fixture))).toEqual(new Set(['handed-back']));
      expect(fixture.counters).toEqual({ sent: 0, accepted: 0, rejected: 0, deferred: 0 });

      // The next push asks with one record and the control, and goes on once that passes.
      fixture.due.splice(0, 99, 'k90', 'k91');
      fixture.sent.length = 0;
      expect(await fixture.push()).not.toBeNull();
      expect(fixture.sent).toEqual(['k90', 'control']);
      fixture.reply = accepted;
      fixture.due.push('k92');
      expect(await fixture.push()).toBeNull();
    });

    test('a gateway that breaks in the middle of a push rejects nobody', async () => {
      let sent = 0;
      const fixture = refusing(40, () => (++sent > 20 ? page(404) : null));
      fixture.control = 'control';
      expect(await fixture.push()).toMatchObject({ code: 'same-refusal', cause: 'page' });
      expect(fixture.counters).toEqual({ sent: 20, accepted: 20, rejected: 0, deferred: 0 });
    });

    test.each<[string, ReturnType<PushFixture['reply']>, object]>([
      ['no reply', { kind: 'silent', code: 'ECONNRESET', message: 'reset' }, { known: false }],
      ['a failure of the platform', answered(500), { known: true }],
      ['a condition that it refuses', answered(412), { known: true }],
    ])('a control without verdict decides nothing: %s', async (_name, reply, ending) => {
      const fixture = refusing(2, (key) => (key === 'control' ? reply : PAGE));
      fixture.control = 'control';
      expect(await fixture.push()).not.toBeNull();
      expect(ends(fixture)).toEqual({ k0: 'handed-back', k1: 'handed-back', control: 'handed-back' });
      expect(fixture.written.find(({ key }) => key === 'control')).toMatchObject({
        control: true,
        ...ending,
      });
      expect(fixture.counters).toEqual({ sent: 0, accepted: 0, rejected: 0, deferred: 0 });
    });

    test('under another mapping, what all are refused for is about the mapping, although the control passes', async () => {
      const fixture = refusing(20, (key) => (key === 'control' ? null : refusedWith(422, 'npwp wajib')));
      fixture.control = 'control';
      expect(await fixture.push()).toMatchObject({
        code: 'same-refusal',
        hint: expect.stringContaining('a field that the query or a lookup leaves out') as string,
      });
      expect(fixture.counters.rejected).toBe(0);
    });

    test('a signal while refusals are undecided leaves them pending', async () => {
      const fixture = refusing(2, () => {
        fixture.abort.abort();
        return PAGE;
      });
      await fixture.push();
      expect(ends(fixture)).toEqual({ k0: 'handed-back' });
    });

    test('a status is never sent twice: its refusal stops the area after everything else of it was sent', async () => {
      const fixture = refusing(3, some(['status'], PAGE));
      fixture.statusesDue.push('status');
      fixture.control = 'control';
      expect(await fixture.push()).toMatchObject({ code: 'authentication-refused', message: 'HTTP 403' });
      expect(fixture.sent).toEqual(['status', 'k0', 'k1', 'k2']);
      expect(fixture.counters).toEqual({ sent: 3, accepted: 3, rejected: 0, deferred: 0 });
    });

    test('a status that the platform itself refuses is rejected, once others were accepted before', async () => {
      const fixture = refusing(0, () => refusedWith(404, 'no such application'));
      fixture.statusesDue.push('status');
      fixture.acceptedBefore.push('application-statuses');
      expect(await fixture.push()).toBeNull();
      expect(ends(fixture)).toEqual({ status: 'refused' });
    });

    test('refusals in other words are about their records', async () => {
      const fixture = refusing(6, (key) => refusedWith(422, `no ${'x'.repeat(Number(key.slice(1)))}`));
      expect(await fixture.push()).toBeNull();
      expect(fixture.counters).toMatchObject({ sent: 6, rejected: 6 });
    });
  });

  test('a 503 while others pass is about the rate: the area waits, no attempt is used up, and the rate hears of it', async () => {
    const fixture = pushFixture(keys(6));
    fixture.areaSettings.concurrency = 1;
    const met = new Set<string>();
    fixture.reply = (key) => {
      if (!['k2', 'k4'].includes(key) || met.has(key)) return accepted(key);
      met.add(key);
      return page(503);
    };
    fixture.record = (outcomes) => {
      fixture.due.push(...outcomes.filter(({ kind }) => kind === 'handed-back').map(({ key }) => key));
      return Promise.resolve();
    };
    expect(await fixture.push()).toBeNull();
    expect(fixture.counters).toEqual({ sent: 6, accepted: 6, rejected: 0, deferred: 0 });
    expect(fixture.news.filter(({ verdict }) => verdict === 'limited')).toHaveLength(2);
    expect(fixture.written.filter(({ kind }) => kind === 'handed-back')).toMatchObject([
      { known: false },
      { known: false },
    ]);
  });

  test('a record that always meets a 503 while others pass is deferred in the end', async () => {
    const fixture = pushFixture(keys(3));
    fixture.areaSettings.concurrency = 1;
    fixture.reply = (key) => (key === 'k1' ? answered(503) : accepted(key));
    let more = 3;
    fixture.record = (outcomes) => {
      const again = outcomes.filter(({ kind }) => kind === 'handed-back').map(({ key }) => key);
      fixture.due.push(...again, ...again.map(() => `k${++more}`));
      return Promise.resolve();
    };
    await fixture.push();
    expect(fixture.written.filter(({ key }) => key === 'k1').map(({ kind }) => kind)).toEqual([
      ...['handed-back', 'handed-back', 'handed-back', 'deferred'],
    ]);
  });

  test('a status that cannot be about one record stops the area with its setting, and rejects nobody', async () => {
    const fixture = pushFixture(keys(20));
    fixture.areaSettings.concurrency = 1;
    fixture.reply = () => refusedWith(428, 'If-Match required');
    expect(await fixture.push()).toMatchObject({
      code: 'request-refused',
      hint: expect.stringContaining('platform.headers') as string,
    });
    expect(fixture.sent).toEqual(['k0']);
    expect(kinds(fixture)).toEqual(['handed-back']);
  });

  test('a 200 that says failure is a rejection while others pass', async () => {
    const fixture = pushFixture(keys(6));
    fixture.areaSettings.concurrency = 1;
    fixture.reply = (key) => (key === 'k2' ? failure('kuota penuh') : accepted(key));
    expect(await fixture.push()).toBeNull();
    expect(fixture.counters).toEqual({ sent: 6, accepted: 5, rejected: 1, deferred: 0 });
    expect(fixture.written[2]).toMatchObject({ kind: 'refused', statusCode: 200, error: 'kuota penuh' });
  });

  test('a row of them is an outage: the area stops, and what was rejected before it was clear is pending again', async () => {
    const fixture = pushFixture(keys(20));
    fixture.settings.breakerAfter = 5;
    fixture.areaSettings.concurrency = 1;
    fixture.reply = (key) => (key === 'k0' ? accepted(key) : failure('maintenance'));
    expect(await fixture.push()).toMatchObject({ code: 'reply-not-understood' });
    expect(fixture.forgiven).toEqual(['k1', 'k2', 'k3']);
    expect(fixture.counters).toEqual({ sent: 3, accepted: 1, rejected: 0, deferred: 2 });
  });

  test('records that failed in the row that opened the breaker get their attempt back', async () => {
    const fixture = pushFixture(keys(20));
    fixture.settings.breakerAfter = 3;
    fixture.areaSettings.concurrency = 1;
    fixture.reply = (key) => (key === 'k1' ? accepted(key) : answered(500));
    expect(await fixture.push()).toMatchObject({ code: 'breaker-open' });
    expect(fixture.sent).toEqual(['k0', 'k1', 'k2', 'k3', 'k4']);
    // The failure of k0 was its own: k1 was accepted after it.
    expect(fixture.forgiven).toEqual(['k2', 'k3', 'k4']);
    expect(fixture.counters).toEqual({ sent: 5, accepted: 1, rejected: 0, deferred: 4 });
  });

  test('a last attempt that the breaker forgives leaves the record deferred, not rejected', async () => {
    const fixture = pushFixture(keys(20));
    fixture.settings.breakerAfter = 2;
    fixture.settings.maxAttempts = 5;
    fixture.attempts = 4;
    fixture.areaSettings.concurrency = 1;
    fixture.reply = () => answered(500);
    expect(await fixture.push()).toMatchObject({ code: 'breaker-open' });
    expect(fixture.written).toMatchObject([{ exhausted: true }, { exhausted: true }]);
    expect(fixture.forgiven).toEqual(['k0', 'k1']);
    expect(fixture.counters).toEqual({ sent: 2, accepted: 0, rejected: 0, deferred: 2 });
  });

  test('a reply under way when the breaker opens does not take the forgiveness from the others', async () => {
    const fixture = pushFixture(keys(3));
    fixture.settings.breakerAfter = 2;
    fixture.areaSettings.concurrency = 3;
    fixture.reply = async (key) => {
      if (key !== 'k0') return answered(500);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return accepted(key);
    };
    expect(await fixture.push()).toMatchObject({ code: 'breaker-open' });
    expect(fixture.forgiven).toEqual(['k1', 'k2']);
    expect(fixture.counters).toMatchObject({ accepted: 1, deferred: 2 });
  });

  test('a pause is waited for once by all, and what was not sent goes out afterwards', async () => {
    const fixture = pushFixture(keys(8));
    let refusals = 0;
    fixture.reply = (key) =>
      key === 'k0' && refusals++ === 0 ? ({ ...answered(429), retryAfter: '7' } as never) : accepted(key);
    // The queue is a list here, so a record that is handed back has to be put in again.
    fixture.record = (outcomes) => {
      fixture.due.push(...outcomes.filter(({ kind }) => kind === 'handed-back').map(({ key }) => key));
      return Promise.resolve();
    };
    expect(await fixture.push()).toBeNull();
    expect(fixture.events.filter(({ type }) => type === 'area-paused')).toMatchObject([{ delayMs: 7_000 }]);
    expect(fixture.now).toBe(7_000);
    expect(fixture.counters).toEqual({ sent: 8, accepted: 8, rejected: 0, deferred: 0 });
  });

  test('the rate limit begins with what was learned before, hears of each reply, and what it learns is stored', async () => {
    const known = { perSecond: 4, refused: 8, limitedAt: 5, announced: null, accepted: 0, setting: 10 };
    const fixture = pushFixture(keys(2));
    fixture.stored = {
      ...{ area: 'jobs', failuresInARow: 0, failingSince: null, answeredAt: null, lastError: null },
      ...{ stop: null, pause: null, retryAt: null, learnedRate: known, platformVersion: null },
    };
    fixture.reply = (key) => {
      expect(fixture.learned).toBe(key === 'k0' ? known : fixture.learned);
      fixture.learned = { ...known, perSecond: 2, limitedAt: 6 };
      return key === 'k0' ? { ...(answered(429) as Answer), rateHeaders: {} } : accepted(key);
    };
    await fixture.push();
    expect(fixture.news.map(({ verdict }) => verdict).sort()).toEqual(['accepted', 'limited']);
    expect(fixture.learnedRates).toEqual([{ ...known, perSecond: 2, limitedAt: 6 }]);
  });

  test('what comes up while the last request is under way does not wait for its reply', async () => {
    const fixture = pushFixture(['slow']);
    const replied: string[] = [];
    let statusSent = () => {};
    const sent = new Promise<void>((resolve) => (statusSent = resolve));
    fixture.reply = async (key) => {
      if (key === 'slow') {
        fixture.statusesDue.push('status');
        // One that is not answered keeps the area for as long as its time-out.
        await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 2_000))]);
      } else statusSent();
      replied.push(key);
      return accepted(key);
    };
    await fixture.push();
    expect(replied).toEqual(['status', 'slow']);
  });

  test('a status goes first, and takes the next place of the rate, before records that wait for theirs', async () => {
    const fixture = pushFixture(['company']);
    fixture.statusesDue.push('status');
    const places: boolean[] = [];
    fixture.beforePlace = (urgent) => void places.push(urgent);
    await fixture.push();
    expect(fixture.sent).toEqual(['status', 'company']);
    expect(places).toEqual([true, false]);
  });

  test('what was not reached uses up no attempt, even the last one', async () => {
    const fixture = pushFixture(keys(2));
    fixture.settings.maxAttempts = 1;
    fixture.areaSettings.concurrency = 1;
    fixture.reply = (key) =>
      key === 'k1' ? { kind: 'unreachable', code: 'ECONNREFUSED', message: 'refused' } : accepted(key);
    expect(await fixture.push()).toBeNull();
    expect(fixture.written).toMatchObject([
      { kind: 'accepted' },
      { kind: 'deferred', counts: false, exhausted: false },
    ]);
  });

  test('a push in which nothing was answered stops the area, and stores how many failed in a row', async () => {
    const fixture = pushFixture(keys(2));
    fixture.settings.maxAttempts = 1;
    fixture.areaSettings.concurrency = 1;
    fixture.reply = () => answered(503);
    expect(await fixture.push()).toMatchObject({ code: 'breaker-open' });
    expect(fixture.forgiven).toEqual(['k0', 'k1']);
    expect(fixture.stored).toMatchObject({ failuresInARow: 2, stop: { code: 'breaker-open' } });
    // The row goes on in the next push, and an answer ends it.
    fixture.due.push('k2', 'k3');
    fixture.reply = (key) => (key === 'k2' ? answered(503) : accepted(key));
    expect(await fixture.push()).toBeNull();
    expect(fixture.stored).toMatchObject({ failuresInARow: 0, stop: null });
  });

  test('a push that was cut short before an answer stops nothing and uses up no attempt', async () => {
    const fixture = pushFixture(keys(1));
    fixture.reply = () => {
      fixture.abort.abort();
      return answered(503);
    };
    expect(await fixture.push()).toBeNull();
    expect(fixture.forgiven).toEqual(['k0']);
    expect(fixture.stored).toMatchObject({ failuresInARow: 1, stop: null });
  });

  test('replies that are not understood stop the area after breakerAfter in a row, and use up no attempt', async () => {
    const fixture = pushFixture(keys(20));
    fixture.settings.breakerAfter = 3;
    fixture.areaSettings.concurrency = 1;
    fixture.attempts = 9;
    fixture.reply = () => ({
      ...(answered(200) as Answer),
      malformed: 'data is missing',
      hint: 'A setting says where it is.',
    });
    expect(await fixture.push()).toMatchObject({
      code: 'reply-not-understood',
      message: '3 replies in a row; the last one: HTTP 200 was not understood: data is missing',
    });
    expect(fixture.sent).toEqual(keys(3));
    for (const outcome of fixture.written)
      expect(outcome).toMatchObject({ kind: 'deferred', known: false, counts: false, exhausted: false });
    expect(fixture.counters).toMatchObject({ sent: 3, deferred: 3 });
    expect(fixture.forgiven).toEqual([]);
    expect(fixture.stored).toMatchObject({ failuresInARow: 0, stop: { code: 'reply-not-understood' } });

    // A setting may have changed since: what waits because of it goes first.
    fixture.reply = accepted;
    expect(await fixture.push()).toBeNull();
    expect(fixture.retried).toEqual(['companies', 'application-statuses']);
    expect(fixture.stored?.stop).toBeNull();
    fixture.due.push('k99');
    await fixture.push();
    expect(fixture.retried).toHaveLength(2);
  });

  test('what may not be repeated freely is not sent again at once', async () => {
    const fixture = pushFixture([]);
    fixture.statusesDue.push('status');
    fixture.reply = () => ({ kind: 'silent', code: 'ECONNRESET', message: 'reset', onIdleConnection: true });
    expect(await fixture.push()).toMatchObject({ code: 'breaker-open' });
    expect(fixture.sent).toEqual(['status']);
    expect(fixture.written).toMatchObject([{ kind: 'deferred', known: false }]);
  });
});
