/** One statement on its way from the process to a database. */
export interface Statement {
  readonly database: 'state' | 'source';
  readonly text: string;
  /** The parameters as they are on the wire. */
  readonly values: string;
  /** The statements before it in the same transaction, the oldest first; empty outside of one. */
  readonly before: readonly { readonly text: string; readonly values: string }[];
}

/** A statement: killed before the database has got it, or when it was carried out and the process does not know. */
export interface StatementStep {
  readonly name: string;
  readonly at: 'database';
  readonly when: 'before' | 'after';
  readonly matches: (statement: Statement) => boolean;
  /** Only a statement that gave rows, or changed some. */
  readonly effective?: true | undefined;
  readonly needs?: Need;
  /** `start` does not come by here. */
  readonly runOnly?: true;
}

/**
 * A request: killed when it has left the process (it never arrives; it arrives; it arrives after a newer one), when
 * the platform has applied it, or when the reply has left the platform.
 */
export interface RequestStep {
  readonly name: string;
  readonly at: 'platform';
  readonly when: 'lost' | 'arrives' | 'late' | 'applied' | 'replied';
  readonly confirmation: boolean;
  /** At which request of the process (from 1); default: one of the first. */
  readonly occurrence?: number;
  readonly needs?: Need;
  readonly runOnly?: true;
}

/** Anywhere: so many milliseconds after the start, or at the n-th statement to a database, whichever it is. */
export interface RandomStep {
  readonly name: string;
  readonly at: 'random';
  readonly when: 'time' | 'statement';
  readonly needs?: Need;
  readonly runOnly?: true;
}

export type Step = StatementStep | RequestStep | RandomStep;

/**
 * What must be there for the process to come by a step: claims that a dead process left open; a confirmation that is
 * due; a push that is slow enough for the lease to be renewed meanwhile.
 */
export type Need = 'open-claims' | 'confirmation' | 'slow-platform';

const statement = (pattern: RegExp, values?: RegExp) => (one: Statement) =>
  pattern.test(one.text) && (values?.test(one.values) ?? true);
/** The commit of a transaction in which there was such a statement. */
const commitOf = (pattern: RegExp, values?: RegExp) => (one: Statement) =>
  /^commit/i.test(one.text) &&
  one.before.some(({ text, values: given }) => pattern.test(text) && (values?.test(given) ?? true));

type Options = Pick<StatementStep, 'effective' | 'needs' | 'runOnly'>;

function both(name: string, matches: StatementStep['matches'], options: Options = {}): StatementStep[] {
  return [
    {
      name: `${name}, not yet committed`,
      at: 'database',
      when: 'before',
      matches,
      ...options,
      effective: undefined,
    },
    { name: `${name}, committed`, at: 'database', when: 'after', matches, ...options },
  ];
}

const TAKE = /set token = l\.token \+ 1/;
const release = (name: string) => new RegExp(`set expires_at = clock_timestamp\\(\\) where name = '${name}'`);

/** Every step of a sweep and of a push at which the process is killed. One table: what is missing here is not tested. */
export const STEPS: readonly Step[] = [
  // A `start` that works has taken its leases.
  ...both('sweep: lease taken', commitOf(TAKE, /sweep/), { runOnly: true }),
  ...both('push: lease taken', commitOf(TAKE, /push/), { runOnly: true }),
  ...both('run: row begun', statement(/^insert into .*sync_run/s)),
  ...both('push: take-over of open claims', commitOf(/s\.claim_token is not null\s+returning s\.key/), {
    needs: 'open-claims',
  }),
  {
    name: 'sweep: ledger digest read',
    at: 'database',
    when: 'after',
    matches: ({ database, text }) => database === 'state' && text.includes('vanished_at is null group by 1'),
  },
  {
    name: 'sweep: rows of the source read',
    at: 'database',
    when: 'after',
    matches: ({ database, text }) => database === 'source' && text.startsWith('fetch'),
  },
  ...both('sweep: page staged', statement(/^insert into .*staged_finding/s)),
  ...both('sweep: findings published', commitOf(/^insert into .*sync_state as s/s)),
  ...both('sweep: mark stored', commitOf(/last_full_sweep_at = coalesce\(excluded/)),
  ...both('push: claim', statement(/set claim_token = \$\d+, attempted_at = now\(\)/), { effective: true }),
  request('push: request sent, never arrives', 'lost'),
  request('push: request sent, arrives', 'arrives'),
  request('push: request sent, arrives after a newer one', 'late'),
  request('push: request applied, no reply', 'applied'),
  request('push: reply sent', 'replied'),
  ...both('push: outcomes', commitOf(/^update .*jsonb_to_recordset.*"requestId" text/s)),
  request('push: confirmation sent', 'arrives', true),
  request('push: reply to a confirmation sent', 'replied', true),
  ...both('lease renewed', statement(/renewals = renewals \+ 1\s+where name = /), {
    effective: true,
    needs: 'slow-platform',
  }),
  ...both('run: row finished', statement(/^update .*sync_run set finished_at = .*where run_id/s)),
  ...both('push: lease released', statement(release('push')), { runOnly: true }),
  ...both('sweep: lease released', statement(release('sweep')), { runOnly: true }),
  { name: 'anywhere: at any statement', at: 'random', when: 'statement' },
  { name: 'anywhere: at any time', at: 'random', when: 'time' },
];

function request(name: string, when: RequestStep['when'], confirmation = false): RequestStep {
  return { name, at: 'platform', when, confirmation, ...(confirmation ? { needs: 'confirmation' } : {}) };
}
