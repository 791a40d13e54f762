import type { OperationName } from '../contract/operation.js';
import type { Area } from '../domain/names.js';
import type { Verdict } from './verdict.js';

/** A request that passed the checks of headers, signature and time, and whose body is JSON. */
export interface InterceptedRequest {
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
  readonly area: Area;
  /** The id in the path, as sent. */
  readonly id: string;
  /** Parsed; undefined without a body. */
  readonly body: unknown;
  /** How many requests came for this method and path so far, this one included. */
  readonly count: number;
}

/** Returns nothing for a request to process as usual. */
export type Intercept = (request: InterceptedRequest) => Verdict | void | Promise<Verdict | void>;
