import { beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../src/core/domain/payload.js';
import {
  accepted,
  idOf,
  NEVER,
  only,
  openTestState,
  TAKING_OVER,
  type TestState,
} from '../core/ledger/open-test-state.js';
import {
  applyResend,
  claim,
  CURRENT,
  isClaimable,
  PASSED,
  publish,
  record,
  statusOf,
  takeOver,
  UNCLAIMED,
  type ResendRequest,
  type Row,
  distrust,
} from './ledger-row.js';
import {
  type Columns,
  columnsIn,
  columnsOf,
  fill,
  keyOf,
  LONG_TIMEOUT_MS,
  OWN_DEADLINE,
  type RowCase,
  rowCases,
} from './ledger-table.js';
import { findingFor, knownPayloads, rowFinding } from './findings.js';
import { NOTHING, sourceValues } from './hash.js';
import { claimOf, knownOutcome, outcomeFor, REPLIES } from './product.js';
import { budget, explorePuts } from './put-protocol.js';
import { PROTOCOL } from './rules.js';
import { PARENT_ID } from './samples.js';

/**
 * The model's functions of a row and the statements of the ledger do the same: every statement is run on every distinct
 * row of these explorations, and every column is compared.
 */
const BUDGETS = [
  budget(2, 1, 0, 1, 0, 0),
  budget(2, 1, 0, 0, 0, 1),
  budget(1, 1, 1, 0, 1, 0),
  budget(2, 0, 0, 0, 1, 1),
];
const EXPLORATIONS = [
  ...BUDGETS.map((each) => ['delete', each] as const),
  ['close', budget(1, 1, 0, 0, 0, 0)],
  ['close', budget(2, 0, 0, 1, 0, 0)],
  ['close', budget(1, 0, 0, 1, 0, 1)],
  ['report', budget(1, 0, 0, 0, 0, 1)],
] as const;

let cases: RowCase[] = [];
let transitions = 0;

beforeAll(() => {
  cases = rowCases(EXPLORATIONS.map(([policy, each]) => explorePuts(policy, each)));
  expect(cases.length).toBeGreaterThan(300);
});

/** Runs a statement on all cases and compares. `twin` changes a row as the model does. */
async function compare(
  name: string,
  twin: (found: RowCase, row: Row, index: number) => void,
  statement: (state: TestState) => Promise<unknown>,
  shared?: TestState,
): Promise<void> {
  const state = shared ?? (await openTestState());
  const base = await fill(state, cases);
  await statement(state);
  const found = await columnsIn(state, base, cases);
  const expected = new Map<string, Columns>();
  cases.forEach((each, index) => {
    const row = { ...each.row };
    twin(each, row, index);
    if (row.exists) expected.set(keyOf(index), columnsOf(row));
  });
  const differing = [...new Set([...found.keys(), ...expected.keys()])].filter(
    (key) => JSON.stringify(sorted(found.get(key))) !== JSON.stringify(sorted(expected.get(key))),
  );
  transitions += cases.length;
  const shown = differing.slice(0, 3).map((key) => ({
    statement: name,
    before: cases[Number(key.slice(1))],
    ledger: found.get(key),
    model: expected.get(key),
  }));
  expect(shown, `${differing.length} of ${cases.length} rows differ`).toEqual([]);
}

const sorted = (columns: Columns | undefined) =>
  columns && Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1));
const deadlineOf = ({ expired }: RowCase) => (expired ? PASSED : OWN_DEADLINE);

test('the status of every row is the one that the ledger derives', async () => {
  const state = await openTestState();
  await fill(state, cases);
  const rows = await state.sql<{ key: string; status: string }>(
    `select key, status from placement_sync.record where entity = 'vacancies' order by key`,
  );
  expect(rows.map(({ key, status }) => `${key} ${status}`)).toEqual(
    cases.flatMap(({ row }, index) => (row.exists ? [`${keyOf(index)} ${statusOf(row)}`] : [])),
  );
});

test('a claim takes the same rows and notes the same', async () => {
  const due = new Map<string, boolean>();
  const state = await openTestState();
  const expected = new Map<string, boolean>();
  await compare(
    'claim',
    (_found, row, index) => {
      if (!isClaimable(row)) return;
      claim(row, 0);
      expected.set(keyOf(index), row.due);
    },
    async () => {
      const claims = await state.claim('vacancies', { limit: 1_000_000 });
      const rows = await state.sql<{ key: string; due: boolean; requestId: string }>(
        `select key, coalesce(confirm_at <= attempted_at, true) as due, last_request_id as "requestId"
         from placement_sync.sync_state where key = any($1)`,
        [claims.map(({ key }) => key)],
      );
      for (const row of rows) due.set(row.key, row.due);
      const requests = new Map(rows.map(({ key, requestId }) => [key, requestId]));
      for (const { key, requestId, hash, parent } of claims) {
        expect(requests.get(key)).toBe(requestId);
        expect(hash).toBeTruthy();
        expect(parent).not.toBeNull();
      }
      expect(new Set(requests.values()).size).toBe(claims.length);
    },
    state,
  );
  expect([...due].sort()).toEqual([...expected].sort());
});

test('outcomes of every kind change the same rows, and only of the claim that they belong to', async () => {
  const state = await openTestState();
  const outcomesOf = (reply: number, requestOf: (index: number) => string) =>
    cases.flatMap(({ row, sent, sentMoved, triedBefore }, index) =>
      row.claim === UNCLAIMED
        ? []
        : [
            {
              ...outcomeFor(claimOf(sent === NOTHING ? 1 : sent, sentMoved, 0, triedBefore), reply),
              key: keyOf(index),
              requestId: requestOf(index),
            },
          ],
    );
  const write = (outcomes: ReturnType<typeof outcomesOf>) =>
    state.queue.record({ fence: state.push, outcomes, tallies: [], timeoutMs: () => LONG_TIMEOUT_MS });
  for (const [reply, { name }] of REPLIES.entries()) {
    await compare(
      name,
      (found, row) => {
        if (row.claim !== CURRENT) return;
        const outcome = knownOutcome(found.sent, found.sentMoved, reply, found.triedBefore);
        record(row, outcome, deadlineOf(found), PROTOCOL);
      },
      () => write(outcomesOf(reply, (index) => `request of ${keyOf(index)}`)),
      state,
    );
  }
  await compare(
    'outcomes of other requests',
    () => {},
    () => write(outcomesOf(0, () => 'another')),
    state,
  );
});

test('a take-over ends the same claims: all of them', () =>
  compare(
    'take-over',
    (found, row) => takeOver(row, deadlineOf(found), PROTOCOL, found.sent),
    (state) => state.queue.takeOver(state.push, null, { ...TAKING_OVER, timeoutMs: () => LONG_TIMEOUT_MS }),
  ));

test('nothing is believed any more of the same rows after a restore', () =>
  compare(
    'distrust',
    (found, row) => distrust(row, deadlineOf(found), PROTOCOL, found.sent),
    (state) => state.entityStates.distrust('vacancies', LONG_TIMEOUT_MS),
  ));

const resends: readonly [ResendRequest, (state: TestState) => Promise<unknown>][] = [
  ['resync', (state) => state.resendRequests.resync('vacancies', null, LONG_TIMEOUT_MS)],
  [
    'resync-key',
    (state) =>
      state.resendRequests.resync(
        'vacancies',
        cases.map((_, index) => keyOf(index)),
        LONG_TIMEOUT_MS,
      ),
  ],
  [
    'refresh',
    (state) =>
      state.resendRequests.refresh(
        state.sweep,
        { name: 'vacancies', lastDay: null, statusField: 'status', closedStatus: 'closed' },
        { afterMs: 1_000, today: '2026-01-01', timeoutMs: LONG_TIMEOUT_MS },
      ),
  ],
  [
    'new-reference',
    async (state) => {
      await state.sql(`update placement_sync.sync_state set acknowledged_hash = null where key = 'c'`);
      const company = only(await state.claim('companies'));
      expect(company.platformId).toBe(PARENT_ID);
      await state.queue.record({
        fence: state.push,
        outcomes: [accepted(company, 'another reference')],
        tallies: [],
        timeoutMs: () => LONG_TIMEOUT_MS,
      });
    },
  ],
];

test.each(resends)('the resend request %s reaches the same rows', (request, statement) =>
  compare(
    request,
    (found, row) => applyResend(row, request, deadlineOf(found), PROTOCOL, found.sent),
    statement,
  ),
);

test('a sweep gets the desired and the acknowledged payloads, and their parents', async () => {
  const state = await openTestState();
  await fill(state, cases);
  const known = cases.flatMap(({ row }, index) => (row.exists ? [[keyOf(index), row] as const] : []));
  const found = await state.ledger.payloads(
    'vacancies',
    known.map(([key]) => key),
  );
  const differing = known.filter(
    ([key, row]) => canonicalJson(found.get(key)) !== canonicalJson(knownPayloads(row)),
  );
  expect(differing.slice(0, 3).map(([key, row]) => ({ row, ledger: found.get(key) }))).toEqual([]);
});

const sweeps = [
  ...sourceValues('close').map((source) => ['close', source] as const),
  ['delete', NOTHING] as const,
  ['report', NOTHING] as const,
];

test('publishing whatever the source has changes the same rows', async () => {
  const state = await openTestState();
  for (const [policy, source] of sweeps) {
    const findings = cases.map(({ row }) => findingFor(source, row, policy));
    const staged = findings.flatMap((finding, index) => {
      const platformId = finding?.platformId === null ? null : idOf(String(index));
      return finding ? [{ ...finding, key: keyOf(index), platformId }] : [];
    });
    await compare(
      `publish ${source} under ${policy}`,
      (_found, row, index) => {
        const finding = findings[index];
        if (finding) publish(row, rowFinding(finding), PROTOCOL);
      },
      async () => {
        await state.staging.clear(state.sweep);
        await state.staging.stage(state.sweep, 'vacancies', staged);
        await state.staging.publish(state.sweep, 'vacancies', {
          renamings: [],
          expected: staged.length,
          stamp: { fingerprint: 'f1', full: false, startedAt: '2000-01-01T00:00:00Z' },
          signal: NEVER,
        });
      },
      state,
    );
  }
});

test('thousands of transitions were compared', () => {
  expect(transitions).toBeGreaterThan(5_000);
  process.stdout.write(
    `\n${cases.length} distinct rows, ${transitions} transitions by real statements compared\n`,
  );
});
