import { createHash } from 'node:crypto';
import type { FaultKind, FaultRule, Faults } from './fault-rules.js';
import type { OperationName } from '../../core/contract/operation.js';
import type { Area } from '../../core/domain/names.js';
import { invalidFields, refusal, type Verdict } from './answer.js';

/**
 * Faults of a rehearsal. Each request runs past all rules: a rule that concerns it counts it, takes it by range,
 * limit and drawn share, and the first that answers decides what happens (`faultVerdict`). Draws depend on seed,
 * rule and request alone, so a rehearsal can be repeated.
 */

/** What a rule selects by. */
export interface FaultRequest {
  readonly operation: OperationName;
  readonly area: Area;
  /** The id in the path. */
  readonly id: string;
}

/** The faults that one request meets. */
interface ChosenFaults {
  /** Of all rules of latency that take it. */
  readonly latencyMs: number;
  /** The first other rule that takes it; null: none. */
  readonly rule: FaultRule | null;
  /** Names of all these rules. */
  readonly names: readonly string[];
}

export interface FaultsReport {
  readonly seed: number;
  /** The rules, with the requests so far that each concerned, and those that it took. */
  readonly rules: readonly {
    readonly name: string;
    readonly fault: FaultKind;
    readonly requests: number;
    readonly fired: number;
  }[];
  /** Requests whose connection was broken and which take effect later. */
  readonly late: number;
}

/** Decides which requests meet which fault, and counts. */
export class ActiveFaults {
  private seed = 0;
  private rules: readonly Counted[] = [];
  /** Requests that take effect later and have not yet. */
  private lateNow = 0;
  /** Requests by operation and id; those that are counted at arrival apart from the others. */
  private attempts = new Map<string, number>();

  constructor(initial: Faults) {
    this.replace(initial);
  }

  /** For a request as it arrives, before its sender is known: what to add to the clock. */
  clockOffset(request: FaultRequest): { readonly offsetMs: number; readonly names: readonly string[] } {
    const { fired } = this.fire((rule) => rule.fault === 'clock-offset', request, 'arrival');
    const offsets = fired.map(({ rule }) => (rule.fault === 'clock-offset' ? rule.offset : 0));
    return { offsetMs: sum(offsets), names: fired.map(({ name }) => name) };
  }

  /** For an authentic request. */
  choose(request: FaultRequest): ChosenFaults {
    const { fired, attempt } = this.fire((rule) => rule.fault !== 'clock-offset', request, 'authentic');
    const waits = fired.map(({ rule, index }) =>
      rule.fault === 'latency'
        ? rule.delay +
          Math.round(rule.jitter * chance(this.seed, index, 'jitter', request.operation, request.id, attempt))
        : 0,
    );
    const rule = fired.find((counted) => answers(counted.rule))?.rule ?? null;
    return { latencyMs: sum(waits), rule, names: fired.map(({ name }) => name) };
  }

  /** Other faults from now on; counting begins again. */
  replace(faults: Faults): void {
    this.seed = faults.seed;
    this.attempts = new Map();
    this.rules = faults.rules.map((rule, index) => {
      const name = rule.name ?? `${rule.fault} (rule ${index + 1})`;
      return { rule, index, name, requests: 0, fired: 0 };
    });
  }

  report(): FaultsReport {
    const { seed, rules, lateNow: late } = this;
    return {
      seed,
      rules: rules.map(({ name, rule, requests, fired }) => ({ name, fault: rule.fault, requests, fired })),
      late,
    };
  }

  /** Counts a request that is under way until the work is done. */
  late(work: Promise<void>): void {
    this.lateNow += 1;
    void work.finally(() => (this.lateNow -= 1));
  }

  private fire(suitable: (rule: FaultRule) => boolean, request: FaultRequest, phase: string): Fired {
    if (this.rules.length === 0) return { fired: [], attempt: 0 };
    const name = `${phase} ${request.operation} ${request.id.toLowerCase()}`;
    const attempt = (this.attempts.get(name) ?? 0) + 1;
    this.attempts.set(name, attempt);
    const taking = this.rules.filter((counted) => {
      const { rule } = counted;
      if (!suitable(rule) || !concerns(rule, request)) return false;
      counted.requests += 1;
      const open = rule.limit === undefined || counted.fired < rule.limit;
      return open && inRange(rule, counted.requests) && drawn(counted, request, this.seed, attempt);
    });
    // Only the first rule that answers takes the request; the others do not count it.
    const first = taking.find(({ rule }) => answers(rule));
    const fired = taking.filter((counted) => !answers(counted.rule) || counted === first);
    for (const counted of fired) counted.fired += 1;
    return { fired, attempt };
  }
}

interface Counted {
  readonly rule: FaultRule;
  /** Place of the rule in the file, from 0. */
  readonly index: number;
  readonly name: string;
  requests: number;
  fired: number;
}

interface Fired {
  readonly fired: readonly Counted[];
  /** Requests of this operation for this id so far, this one included. */
  readonly attempt: number;
}

function answers({ fault }: FaultRule): boolean {
  return fault !== 'latency' && fault !== 'clock-offset';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Whether a rule concerns requests like this one, even if it takes only some of them. */
function concerns(rule: FaultRule, request: FaultRequest): boolean {
  const id = request.id.toLowerCase();
  return (
    (rule.area === undefined || rule.area === request.area) &&
    (rule.operation === undefined || rule.operation.includes(request.operation)) &&
    (rule.id === undefined || rule.id.some((each) => each.toLowerCase() === id))
  );
}

/** @param number counted from 1 over the requests that the rule concerns */
function inRange(rule: FaultRule, number: number): boolean {
  const { from = 1, to = Infinity, every = 1, burst = 1 } = rule;
  return number >= from && number <= to && (number - from) % every < burst;
}

/**
 * Whether the shares of a rule take this request. A record's draw depends on its id, an attempt's on operation, id and
 * the number of the attempt: what happens to other records at the same time changes neither.
 */
function drawn({ rule, index }: Counted, request: FaultRequest, seed: number, attempt: number): boolean {
  const id = request.id.toLowerCase();
  if (rule.recordShare !== undefined && chance(seed, index, 'record', id) >= rule.recordShare) return false;
  if (rule.share === undefined) return true;
  return chance(seed, index, 'request', request.operation, id, attempt) < rule.share;
}

/**
 * A number from 0 (included) to 1 (excluded) that depends on the parts alone, evenly spread. No stream is shared, so
 * that requests at the same time do not change each other's.
 */
function chance(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUIntBE(0, 6) / 2 ** 48;
}

/**
 * What a fault does to one request. Latency and clock are not answers, so they have no verdict.
 * @param nowMs the sandbox's clock, for Retry-After as a date
 */
export function faultVerdict(rule: FaultRule, nowMs: number): Verdict {
  switch (rule.fault) {
    case 'latency':
    case 'clock-offset':
      return {};
    case 'retry-after': {
      const { status, after, form } = rule;
      const body = { message: status === 429 ? 'Too Many Attempts.' : 'Service Unavailable' };
      const seconds = Math.ceil(after / 1000);
      // A date has no fractions either: rounded up, so that the wait is never shorter than asked for.
      const date = new Date(Math.ceil((nowMs + after) / 1000) * 1000).toUTCString();
      return { status, body, headers: { 'retry-after': form === 'date' ? date : String(seconds) } };
    }
    case 'server-error': {
      const { status, json, applied } = rule;
      return { status, body: json ? { message: 'Server Error' } : 'upstream failure', apply: applied };
    }
    case 'no-reply':
      return { silent: true, apply: rule.applied };
    case 'drop-before':
      return { drop: 'before' };
    case 'drop-after':
      return { drop: 'after' };
    case 'apply-late':
      return { drop: 'before', applyAfterDropMs: rule.after };
    case 'slow-body':
      return { delivery: { kind: 'slow', overMs: rule.over } };
    case 'truncated-reply':
      return { delivery: { kind: 'cut', keptShare: rule.keepPercent / 100, announced: rule.length } };
    case 'html':
      return { status: rule.status, body: PAGE, apply: rule.applied };
    case 'wrong-envelope':
      return {
        status: 200,
        body: JSON.stringify(rule.body),
        headers: { 'content-type': 'application/json' },
        apply: rule.applied,
      };
    case 'signature-refused':
      return { status: 401, body: refusal(401, 'Signature is not valid').body };
    case 'duplicate-request-id':
      return { status: 409, body: refusal(409, 'Request-Id was used before').body };
    case 'fields-refused': {
      const problems = Object.entries(rule.fields).map(([field, message]) => ({ field, message }));
      return { status: 422, body: invalidFields(problems).body };
    }
  }
}

const PAGE = `<!doctype html>
<html><head><title>Access denied</title></head><body><h1>Access denied</h1><p>Reference 18.0</p></body></html>
`;
