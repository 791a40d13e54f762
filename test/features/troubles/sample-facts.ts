import { groupOf } from '../../../src/core/domain/issue-group.js';
import type { StateCounts } from '../../../src/core/domain/reply/reply.js';
import type {
  EntityFacts,
  RunFacts,
  TroubleFacts,
  WebhookRefusal,
} from '../../../src/core/domain/trouble/trouble.js';

export const NOW = new Date('2026-01-02T00:00:00.000Z');
export const YESTERDAY = new Date('2026-01-01T00:00:00.000Z');

/** Stands for words of others, which no text of ours may take over. */
export const FOREIGN_WORDS = 'the words of somebody else';
/** Stands for a key. */
export const SECRET_KEY = 'a-key-of-somebody';

const COUNTS = {
  vanished: 0,
  invalid: 0,
  rejected: 0,
  waiting: 0,
  deferred: 0,
  pending: 0,
  synced: 10,
  blocked: 0,
};

/** Companies with which all is well, but for `changes`. */
export function company(
  counts: Partial<typeof COUNTS> & { readonly atPlatform?: StateCounts } = {},
  state: Partial<EntityFacts['state']> = {},
  reasons: EntityFacts['reasons'] = null,
): EntityFacts {
  return {
    name: 'companies',
    area: 'jobs',
    parent: null,
    counts: { ...COUNTS, ...counts },
    state: {
      hold: null,
      pushHold: null,
      approval: null,
      lastSuccessAt: NOW,
      lastSweepAt: NOW,
      inDoubtSince: null,
      ...state,
    },
    reasons,
    deferral: null,
    vanished: { onVanished: 'delete', closedStatus: '' },
  };
}

/** Vacancies, whose parents are companies. */
export function vacancy(
  counts: Partial<typeof COUNTS> & { readonly atPlatform?: StateCounts },
  parentHeld = false,
): EntityFacts {
  return { ...company(counts), name: 'vacancies', parent: { entity: 'companies', held: parentHeld } };
}

/** A run in which nothing happened, but for `errors` of entities. */
export function run(
  errors: Partial<Record<'companies' | 'vacancies', string>> = {},
  changes: Partial<RunFacts> = {},
): RunFacts {
  const part = (code: string | undefined) => ({
    error: code === undefined ? null : { code, message: FOREIGN_WORDS },
    sent: 3,
    accepted: 1,
    rejected: 1,
    deferred: 1,
  });
  return {
    interrupted: false,
    error: null,
    entities: { companies: part(errors.companies), vacancies: part(errors.vacancies) },
    ...changes,
  };
}

export function facts(changes: Partial<TroubleFacts> = {}): TroubleFacts {
  return {
    now: NOW,
    entities: [company()],
    run: run(),
    areas: [],
    idle: false,
    worker: true,
    staleAfterMs: 3_600_000,
    ...changes,
  };
}

export const HOLD = {
  guard: 'empty-source',
  message: 'The source has no rows.',
  counts: { vanished: 5, invalid: 1 },
  sampleKeys: [SECRET_KEY],
  since: YESTERDAY.toISOString(),
} as const;

export const PUSH_HOLD = {
  guard: 'max-rejected-in-a-row',
  message: FOREIGN_WORDS,
  refused: 50,
  sampleKeys: [SECRET_KEY],
  since: YESTERDAY.toISOString(),
} as const;

export const reason = (code: 'refused' | 'required' | 'unmapped', field: string | null = null) =>
  groupOf(
    'companies',
    'invalid',
    { code, field, message: FOREIGN_WORDS },
    { count: 2, sampleKeys: [SECRET_KEY] },
  );

const REASONS = {
  rejected: [reason('refused')],
  invalid: { codes: [reason('unmapped', 'industry')], others: [reason('required', 'name')], onlyCodes: 1 },
  blocked: [
    { key: SECRET_KEY, parentKey: null, problem: 'parent-absent' as const },
    { key: SECRET_KEY, parentKey: SECRET_KEY, problem: 'parent-rejected' as const },
  ],
};

const STOP = { message: FOREIGN_WORDS, hint: 'Check the clock.', retryAt: null, since: YESTERDAY };

const refusedFor = (reason: WebhookRefusal, offsetMs: number | null = null) =>
  facts({ refusedWebhooks: { count: 3, since: YESTERDAY, lastAt: NOW, reason, offsetMs } });

/** Facts that hold every kind of trouble once, some of them twice. */
export const EVERYTHING_WRONG: readonly TroubleFacts[] = [
  ...(['header', 'signature', 'time', 'size', 'encoding', 'json'] as const).map((reason) =>
    refusedFor(reason),
  ),
  refusedFor('time', 25_200_000),
  refusedFor('time', -600_000),
  ...[120, 3].map((rejected) =>
    facts({
      entities: [
        { ...company(), counts: null, rejections: { rejected, of: rejected * 20, statusCode: 422 } },
      ],
    }),
  ),
  ...[120, 3].map((count) =>
    facts({
      entities: [
        {
          ...{ ...vacancy({}), counts: null },
          unsendable: { invalid: count, blocked: count, of: count * 3 },
        },
      ],
    }),
  ),
  facts({ entities: [company({ invalid: 5 }, { lastSuccessAt: YESTERDAY })] }),
  facts({
    idle: true,
    run: run({}, { error: { code: 'lease-lost', message: FOREIGN_WORDS } }),
    entities: [
      company(
        { rejected: 4, invalid: 3, atPlatform: { refused: 1, removed: 1, pending: 5 } },
        {
          ...{ hold: HOLD, pushHold: PUSH_HOLD, inDoubtSince: YESTERDAY, lastSuccessAt: YESTERDAY },
          drift: { count: 2, since: YESTERDAY, sampleKeys: ['c1'] },
          source: { reading: { slow: { ms: 45_000, usualMs: 500 } } },
        },
        REASONS,
      ),
      {
        ...vacancy({ waiting: 2, blocked: 2, deferred: 4 }),
        reasons: REASONS,
        deferral: { since: YESTERDAY, statusCode: 503, error: FOREIGN_WORDS },
      },
    ],
  }),
  facts({
    run: run({ companies: 'query-failed' }, { interrupted: true }),
    entities: [company({ pending: 3 })],
    areas: [
      {
        area: 'jobs',
        stop: { ...STOP, code: 'breaker-open' },
        credentials: 'refused',
        refusedCause: { hint: 'Check the clock.', cause: null },
      },
    ],
  }),
];
