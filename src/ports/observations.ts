import type { CheckResult, Verdict } from '../domain/probe/check.js';

/** What was last seen of one assumption. */
export interface Observation extends Verdict {
  /** Of a check; other versions of the program may have others. */
  readonly id: string;
  readonly result: CheckResult;
  readonly observedAt: Date;
}

/** What first contacts saw, by environment: address and client id. */
export interface Observations {
  /** Keeps the latest of each check; one that found nothing out does not replace one that did. */
  save(environment: string, seen: readonly Omit<Observation, 'observedAt'>[]): Promise<void>;
  read(environment: string): Promise<readonly Observation[]>;
}
