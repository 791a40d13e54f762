import type { FaultsInput } from './fault-rules.js';
import type { OperationName, Operations } from '../../core/contract/operation.js';
import type { SignatureProfileName } from '../../core/contract/signature.js';
import type { Area } from '../../core/domain/names.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Verdict } from './answer.js';
import type { JournalEntry } from './journal.js';

export interface SandboxOptions {
  /** 0 takes any free port. Default 0. */
  readonly port?: number;
  /** Default 127.0.0.1: the sandbox's own routes ask for no credentials. */
  readonly host?: string;
  /** Credentials per area; they may be the same. Default `sandbox-client` and `sandbox-secret` for both. */
  readonly clients?: Partial<Readonly<Record<Area, SandboxClient>>>;
  /** Default `digest-lines`. */
  readonly profile?: SignatureProfileName;
  /** Signature and base path of single areas, instead of `profile`. */
  readonly dialects?: Partial<Readonly<Record<Area, AreaDialect>>>;
  /** Of local timestamps in replies. Default Asia/Jakarta. */
  readonly timeZone?: string;
  /** Methods and paths. Default: those of the contract. */
  readonly operations?: Operations;
  /**
   * Whether it refuses what the interface's words rule out, such as a skill in kebab-case, and fields that it does not list.
   * Default true.
   */
  readonly strict?: boolean;
  readonly clock?: Pick<Clock, 'now'>;
  /** Called when a request is answered or dropped. */
  readonly onRequest?: (entry: Readonly<JournalEntry>) => void;
  /** The faults, as in a faults file; default: none. It can be replaced while the sandbox runs. */
  readonly faults?: FaultsInput;
  /** Decides about single requests that no fault answers: see `Intercept`. */
  readonly intercept?: Intercept;
}

/** How requests to an area are signed and addressed. */
export interface AreaDialect {
  readonly profile: SignatureProfileName;
  /** Path of the area's base address; it is also served without it. Default "". */
  readonly basePath?: string;
}

export interface SandboxClient {
  readonly clientId: string;
  readonly secret: string;
}

export const DEFAULT_CLIENT: SandboxClient = { clientId: 'sandbox-client', secret: 'sandbox-secret' };

/** Returns nothing for a request to process as usual. */
export type Intercept = (request: InterceptedRequest) => Verdict | void | Promise<Verdict | void>;

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
