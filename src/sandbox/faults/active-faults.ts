import type { FaultKind, FaultRule, Faults } from '../../config/faults/fault-schema.js';
import { chance } from './chance.js';
import { concerns, drawn, inRange, type FaultRequest } from './selects.js';

/** The faults that one request meets. */
export interface ChosenFaults {
  /** Of all rules of latency that take it. */
  readonly latencyMs: number;
  /** The first other rule that takes it; null: none. */
  readonly rule: FaultRule | null;
  /** Names of all these rules. */
  readonly names: readonly string[];
}

/** One rule and what came of it so far. */
export interface FaultCount {
  readonly name: string;
  readonly fault: FaultKind;
  /** Requests that it concerns. */
  readonly requests: number;
  /** Those that it took. */
  readonly fired: number;
}

export interface FaultsReport {
  readonly seed: number;
  readonly rules: readonly FaultCount[];
  /** Requests whose connection was broken and which take effect later. */
  readonly late: number;
}

export interface ActiveFaults {
  /** For a request as it arrives, before its sender is known: what to add to the clock. */
  clockOffset(request: FaultRequest): { readonly offsetMs: number; readonly names: readonly string[] };
  /** For an authentic request. */
  choose(request: FaultRequest): ChosenFaults;
  /** Other faults from now on; counting begins again. */
  replace(faults: Faults): void;
  report(): FaultsReport;
  /** Counts a request that is under way until the work is done. */
  late(work: Promise<void>): void;
}

interface Counted {
  readonly rule: FaultRule;
  readonly index: number;
  readonly name: string;
  requests: number;
  fired: number;
}

interface Fired {
  readonly fired: readonly Counted[];
  readonly attempt: number;
}

/** Decides which requests meet which fault, and counts. */
export function createActiveFaults(initial: Faults): ActiveFaults {
  let seed = 0;
  let rules: Counted[] = [];
  let late = 0;
  /** Requests by operation and id; those that are counted at arrival apart from the others. */
  let attempts = new Map<string, number>();

  const fire = (suitable: (rule: FaultRule) => boolean, request: FaultRequest, phase: string): Fired => {
    if (rules.length === 0) return { fired: [], attempt: 0 };
    const name = `${phase} ${request.operation} ${request.id.toLowerCase()}`;
    const attempt = (attempts.get(name) ?? 0) + 1;
    attempts.set(name, attempt);
    const taking = rules.filter((counted) => {
      const { rule, index } = counted;
      if (!suitable(rule) || !concerns(rule, request)) return false;
      counted.requests += 1;
      const open = rule.limit === undefined || counted.fired < rule.limit;
      return open && inRange(rule, counted.requests) && drawn(rule, request, { seed, index, attempt });
    });
    // Only the first rule that answers takes the request; the others do not count it.
    const first = taking.find(({ rule }) => answers(rule));
    const fired = taking.filter((counted) => !answers(counted.rule) || counted === first);
    for (const counted of fired) counted.fired += 1;
    return { fired, attempt };
  };

  const replace = (faults: Faults): void => {
    seed = faults.seed;
    attempts = new Map();
    rules = faults.rules.map((rule, index) => {
      const name = rule.name ?? `${rule.fault} (rule ${index + 1})`;
      return { rule, index, name, requests: 0, fired: 0 };
    });
  };
  replace(initial);

  return {
    clockOffset(request) {
      const { fired } = fire((rule) => rule.fault === 'clock-offset', request, 'arrival');
      const offsets = fired.map(({ rule }) => (rule.fault === 'clock-offset' ? rule.offset : 0));
      return { offsetMs: sum(offsets), names: fired.map(({ name }) => name) };
    },
    choose(request) {
      const { fired, attempt } = fire((rule) => rule.fault !== 'clock-offset', request, 'authentic');
      const waits = fired.map(({ rule, index }) =>
        rule.fault === 'latency'
          ? rule.delay +
            Math.round(rule.jitter * chance(seed, index, 'jitter', request.operation, request.id, attempt))
          : 0,
      );
      const rule = fired.find((counted) => answers(counted.rule))?.rule ?? null;
      return { latencyMs: sum(waits), rule, names: fired.map(({ name }) => name) };
    },
    replace,
    report: () => ({
      seed,
      rules: rules.map(({ name, rule, requests, fired }) => ({ name, fault: rule.fault, requests, fired })),
      late,
    }),
    late(work) {
      late += 1;
      void work.finally(() => {
        late -= 1;
      });
    },
  };
}

function answers({ fault }: FaultRule): boolean {
  return fault !== 'latency' && fault !== 'clock-offset';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
