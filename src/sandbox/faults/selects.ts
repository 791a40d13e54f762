import type { FaultRule } from '../../config/faults/fault-schema.js';
import type { OperationName } from '../../contract/operation.js';
import type { Area } from '../../domain/names.js';
import { chance } from './chance.js';

/** What a rule selects by. */
export interface FaultRequest {
  readonly operation: OperationName;
  readonly area: Area;
  /** The id in the path. */
  readonly id: string;
}

/** Whether a rule concerns requests like this one, even if it takes only some of them. */
export function concerns(rule: FaultRule, request: FaultRequest): boolean {
  const id = request.id.toLowerCase();
  return (
    (rule.area === undefined || rule.area === request.area) &&
    (rule.operation === undefined || rule.operation.includes(request.operation)) &&
    (rule.id === undefined || rule.id.some((each) => each.toLowerCase() === id))
  );
}

/** @param number counted from 1 over the requests that the rule concerns */
export function inRange(rule: FaultRule, number: number): boolean {
  const { from = 1, to = Infinity, every = 1, burst = 1 } = rule;
  return number >= from && number <= to && (number - from) % every < burst;
}

export interface Draw {
  readonly seed: number;
  /** Place of the rule in the file, from 0. */
  readonly index: number;
  /** Requests of this operation for this id so far, this one included. */
  readonly attempt: number;
}

/**
 * Whether the shares of a rule take this request. A record's draw depends on its id, an attempt's on operation, id and
 * the number of the attempt: what happens to other records at the same time changes neither.
 */
export function drawn(rule: FaultRule, request: FaultRequest, { seed, index, attempt }: Draw): boolean {
  const id = request.id.toLowerCase();
  if (rule.recordShare !== undefined && chance(seed, index, 'record', id) >= rule.recordShare) return false;
  if (rule.share === undefined) return true;
  return chance(seed, index, 'request', request.operation, id, attempt) < rule.share;
}
