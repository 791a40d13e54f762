import type { OperationName } from '../contract/operation.js';
import type { AreaStop } from '../domain/area-condition.js';
import type { EntityName } from '../domain/names.js';
import {
  decideRow,
  EMPTY_ROW,
  ownWords,
  type RefusalRow,
  type Refused,
  withRefusal,
} from '../domain/refusal-row.js';
import { type Judgement, withoutStatus } from '../domain/reply/reply.js';
import type { Claim, Outcome, SentRequest } from '../ledger/queue/types.js';
import type { AreaGate } from './gate.js';
import { handBack } from './outcome.js';
import type { PushOptions } from './push-options.js';
import type { RefusalWatch } from './refusal-watch.js';

/**
 * Refusals of one push that may be about their record or about all. Their claims stay open until that is decided
 * (`decideRow`), so that nothing of them is stored that a kill would leave behind: it would be confirmed like every attempt
 * without reply. Where nothing passes, a control decides, at most one for each operation and push. A PATCH is never
 * repeated, so there is none for it; what it refuses stops the area only when everything else was sent.
 */

/** A refusal whose claim is still open. */
interface HeldRefusal {
  readonly claim: Claim;
  readonly judgement: Refused;
  readonly sent: SentRequest;
  readonly body: string | null;
  /** Ends the claim: counts, reports and writes it. */
  readonly end: (outcome: Outcome) => void;
}

interface Row {
  readonly entity: EntityName;
  /** Of a Put: it may be repeated. */
  readonly repeatable: boolean;
  state: RefusalRow;
  held: HeldRefusal[];
  /** Refusals that are counted and not ended yet. */
  open: number;
  /** `proven` of `RowFacts`. */
  proven: boolean;
}

interface Means {
  readonly gate: Pick<AreaGate, 'halt' | 'stop'>;
  readonly watch: Pick<RefusalWatch, 'note' | 'isMappingProven'>;
  /** The push before stopped for refusals. */
  readonly trial: boolean;
  readonly whenAllIsDone: () => Promise<void>;
  readonly flush: () => Promise<void>;
  /** Null: it was not sent. */
  readonly send: (control: Claim) => Promise<Judgement | null>;
}

export class Undecided {
  readonly #rows = new Map<OperationName, Row>();
  /** A record has passed in this push. */
  #recordPassed = false;
  /** One that was put again has passed. */
  #controlPassed = false;
  /** The way may open while this push tries it: what was refused until then is tried once more. */
  #mayOpen: boolean;

  constructor(
    private readonly push: PushOptions,
    private readonly means: Means,
  ) {
    this.#mayOpen = means.trial;
  }

  /** Whether nothing more of an entity is sent until it is decided. */
  blocks(entity: EntityName): boolean {
    const { maxRejectedInARow } = this.push.settings.guards;
    return [...this.#rows.values()].some(
      (row) =>
        row.entity === entity &&
        // The last of them will hold the entity, once it is ended.
        ((row.open > 0 &&
          row.state.count >= maxRejectedInARow &&
          !this.means.watch.isMappingProven(entity)) ||
          ['control', 'stop'].includes(this.#decide(row, false))),
    );
  }

  /** Counts a refusal at once, so that nothing more is sent meanwhile. */
  refused(claim: Claim, operation: OperationName, judgement: Refused): void {
    const row = this.#rowOf(claim, operation);
    row.state = withRefusal(row.state, judgement);
    row.open += 1;
  }

  /** Keeps its claim open, unless it is decided already. */
  async hold(operation: OperationName, refusal: HeldRefusal): Promise<void> {
    const row = this.#rowOf(refusal.claim, operation);
    row.held.push(refusal);
    if (row.state.count === 0 || this.#decide(row, false) === 'own') await this.#release(row);
  }

  /** Another record passes: what was refused before is about its records. */
  async passed(claim: Claim, operation: OperationName): Promise<void> {
    this.#recordPassed = true;
    const row = this.#rowOf(claim, operation);
    // What has just been accepted can be put again.
    const control = row.repeatable && row.state.control !== 'passed' ? 'open' : row.state.control;
    row.state = { ...EMPTY_ROW, passed: true, control };
    await this.#release(row);
  }

  /** Whether one refusal says too little, so that another one is tried. */
  asksAnother(): boolean {
    return !this.#recordPassed && [...this.#rows.values()].some(({ held }) => held.length > 0);
  }

  /** Decides what can be decided. `idle`: nothing else is left to send. True: there may be more to send now. */
  async settle(idle: boolean): Promise<boolean> {
    let changed = false;
    for (const row of this.#rows.values())
      if (this.means.gate.stop() === null) changed = (await this.#settleRow(row, idle)) || changed;
    return changed;
  }

  /** At the end of the push: what is undecided stays pending, and the next try begins with another record. */
  handBackAll(): void {
    for (const row of this.#rows.values()) {
      for (const held of row.held) held.end({ ...handBack(held.claim), ...replyOf(held), tried: true });
      row.held = [];
    }
  }

  #rowOf({ entity }: Claim, operation: OperationName): Row {
    const known = this.#rows.get(operation);
    if (known !== undefined) return known;
    const configured = this.push.entities.find(({ name }) => name === entity);
    const repeatable = configured?.repeatable === true && configured.put === operation;
    const state: RefusalRow = { ...EMPTY_ROW, control: repeatable ? 'open' : 'impossible' };
    const row = { entity, repeatable, state, held: [], open: 0, proven: false };
    this.#rows.set(operation, row);
    return row;
  }

  #decide({ entity, state, proven }: Row, idle: boolean) {
    const { maxSameRefusals, maxRejectedInARow } = this.push.settings.guards;
    return decideRow(state, {
      idle,
      trial: this.means.trial && !this.#recordPassed && !this.#controlPassed,
      most: maxSameRefusals,
      holdAt: maxRejectedInARow,
      proven,
      mappingProven: this.means.watch.isMappingProven(entity),
    });
  }

  /** They are about their records, unless the way has just opened. */
  async #release(row: Row): Promise<void> {
    const { held } = row;
    row.held = [];
    if (this.#mayOpen) {
      this.#mayOpen = false;
      row.state = { ...EMPTY_ROW, passed: row.state.passed, control: row.state.control };
      for (const each of held) each.end({ ...handBack(each.claim), ...replyOf(each) });
      row.open -= held.length;
      return;
    }
    for (const { claim, judgement, sent, body, end } of held) {
      const { entity, key, requestId, hash } = claim;
      const { statusCode } = judgement;
      const error = ownWords(judgement);
      end({ ...{ entity, key, requestId, hash, statusCode, error, sent, body }, kind: 'refused' });
      await this.means.watch.note({ entity, key }, judgement);
      row.open -= 1;
    }
  }

  /** True: something has changed. */
  async #settleRow(row: Row, idle: boolean): Promise<boolean> {
    const due = this.#decide(row, idle);
    // The others of its area go first.
    if (due === 'wait' || (due === 'stop' && !row.repeatable && !idle)) return false;
    await this.means.whenAllIsDone();
    const decided = this.#decide(row, idle);
    let changed = row.held.length > 0;
    if (decided === 'control' || (decided === 'stop' && !row.repeatable)) {
      const judged = await this.#control(row);
      if (judged?.kind === 'accepted') {
        this.#controlPassed = true;
        changed = true;
        row.state = { ...row.state, control: 'passed' };
      } else if (judged?.kind === 'refused') this.#stopFor(row, 'control');
      else if (judged !== null && judged.kind !== 'paused') this.#stopFor(row, 'unanswered');
      // A pause that the platform asked for, or the end of the push.
      else if (row.state.control === 'open') return true;
    }
    if (this.means.gate.stop() !== null) return false;
    const verdict = this.#decide(row, idle);
    if (verdict === 'own') await this.#release(row);
    else if (verdict === 'stop')
      this.#stopFor(row, row.state.control === 'passed' ? 'mapping' : row.repeatable ? 'nothing' : 'patch');
    return changed && verdict === 'own';
  }

  /** Puts a record of the entity again unchanged; gives what became of it, null: nothing yet. */
  async #control(row: Row): Promise<Judgement | null> {
    const { state, entities, lease, newId } = this.push;
    const { entity } = row;
    // What was accepted a moment ago, or handed back, can be one.
    await this.means.flush();
    const { control, accepted } = await state.queue.findControl(
      entity,
      entities.map(({ name }) => name),
    );
    row.proven = accepted.length > 0 && (row.state.fields || !row.repeatable);
    if (!row.repeatable) return null;
    const own = row.held.find(({ claim }) => claim.key === control?.key);
    if (own !== undefined) {
      // Every record of the entity was refused, so one of them goes back to what was accepted of it.
      row.held = row.held.filter((held) => held !== own);
      row.open -= 1;
      own.end({ ...handBack(own.claim), ...replyOf(own) });
      await this.means.flush();
    }
    const claim =
      control === null
        ? null
        : await lease.fenced((fence) =>
            state.queue.claimRecord({ ...control, fence, entity, requestId: newId() }),
          );
    if (control === null || claim === null) {
      row.state = { ...row.state, control: 'impossible' };
      return null;
    }
    const judgement = await this.means.send({ ...claim, parent: control.parent, control: true });
    await this.means.flush();
    return judgement;
  }

  #stopFor({ entity, state: { first } }: Row, why: keyof typeof WHY): void {
    if (first === null) return;
    const hasWords = this.push.entities.find(({ name }) => name === entity)?.repeatable !== false;
    this.means.gate.halt(stopOf(entity, first, why, hasWords));
  }
}

function replyOf({ judgement: { statusCode, message }, sent, body }: HeldRefusal) {
  return { reply: { statusCode, error: message }, sent, body };
}

const AGAIN =
  'None is rejected, and nothing needs to be sent again by hand: the next run, or `start` after a pause, tries one request.';

/** What is known beside the refusals, and what to do. */
const WHY = {
  control: [
    'also one that it accepted before and that was sent again unchanged',
    'So it is not about single records: the platform, or what stands before it, has changed. Ask its operator, or look for a setting of platform with placement-sync probe.',
  ],
  unanswered: [
    'and gave no verdict on one that it accepted before and that was sent again unchanged',
    'Whether others pass is not known yet.',
  ],
  nothing: [
    'and it has accepted nothing that can be compared with them',
    'Either a setting of platform is wrong, such as a path or another form of the request (placement-sync probe finds it), or all these records lack the same field, which the query or a lookup leaves out: read what it asks for. If single records are at fault after all, raise guards.maxSameRefusals.',
  ],
  mapping: [
    'and takes what it accepted before: so it is about what the query, the lookups or the settings have changed',
    'Read what it asks for: a field that the query or a lookup leaves out. If single records are at fault after all, raise guards.maxSameRefusals.',
  ],
  patch: [
    'and no such request is ever repeated to find out whether others pass',
    'Everything else of the area was sent before. Ask the operator of the platform whether it, or a firewall before it, refuses these requests.',
  ],
} as const;

/** What the platform says about an application is personal, and the state of an area is shown to everybody. */
function stopOf(
  entity: EntityName,
  { statusCode, message, unproven }: Refused,
  why: keyof typeof WHY,
  hasWords: boolean,
): AreaStop {
  const words = hasWords ? withoutStatus(message, statusCode) : null;
  const said = `HTTP ${statusCode}${words === null ? '' : `: ${words}`}`;
  const [beside, hint] = WHY[why];
  if (unproven?.stop) {
    const { code, hint: likely, cause = null } = unproven.stop;
    return { code, message: said, hint: `${likely} ${AGAIN}`, cause };
  }
  return {
    code: 'same-refusal',
    message: `The platform refused the records of ${entity} that were sent, all with ${said}; ${beside}`,
    hint: `${hint} ${AGAIN}`,
    ...(unproven?.page === true ? { cause: 'page' } : {}),
  };
}
