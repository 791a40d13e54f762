import type { AbsentSetting } from '../../src/core/entities/absent.js';
import type { VanishedPolicy } from '../../src/core/domain/guard.js';

/** A region and an industry of the platform's catalogue, as the rows below name them. */
export const CITY = '0b5f3c9e-6a64-4c7e-8a53-3f0f6f0e2a01';
export const FARMING = '5d1c2f80-14a5-4a39-9a55-2f1f2a3f4b02';
export const MINING = '5d1c2f80-14a5-4a39-9a55-2f1f2a3f4b03';

/** What the partner configured for one entity; a test changes it between runs. */
export interface Block {
  sql: string;
  /** CSV text by column. */
  lookups: Record<string, string>;
  onVanished: VanishedPolicy;
  plainText: string[];
  required: string[] | null;
  extraFields: Record<string, string>;
  /** Undefined: as the platform's, which is omit. */
  absent?: AbsentSetting;
}

export interface AreaOptions {
  baseUrl: string;
  clientId: string;
  ratePerSecond: number | null;
  concurrency: number;
  timeoutMs: number;
}

/** Everything of `RunSettings`, changeable. */
export interface WorldSettings {
  guards: {
    maxVanishedPercent: number;
    maxVanishedCount: number;
    maxInvalidPercent: number;
    maxChangedPercent: number;
    maxRejectedInARow: number;
    maxSameRefusals: number;
  };
  retry: {
    maxAttempts: number;
    baseDelayMs: number;
    maxDelayMs: number;
    breakerAfter: number;
    maxPauseMs: number;
    runForMs: number;
  };
  fullEveryMs: number;
  jobs: AreaOptions;
  /** Null: no limit. */
  readBackPerSecond: number | null;
  namespace: string;
  requireInbox: boolean;
  refreshAfterMs: number | null;
  leaseTtlMs: number;
  /** How far the clock of the process is ahead of that of the database. */
  clockAheadMs: number;
  sourceTimeZone: string | null;
  sessionTimeZone: string | null;
}

/** A block with this query and nothing else configured. */
export function block(sql: string): Block {
  return { sql, lookups: {}, onVanished: 'report', plainText: [], required: null, extraFields: {} };
}

/** Short times, no rate, and the credentials that the sandbox knows. */
export function defaultSettings(baseUrl: string): WorldSettings {
  return {
    guards: {
      maxVanishedPercent: 10,
      maxVanishedCount: 1_000,
      maxInvalidPercent: 50,
      maxChangedPercent: 50,
      maxRejectedInARow: 50,
      maxSameRefusals: 1_000,
    },
    retry: {
      maxAttempts: 10,
      baseDelayMs: 20,
      maxDelayMs: 20,
      breakerAfter: 10,
      maxPauseMs: 3_000,
      runForMs: 0,
    },
    fullEveryMs: 86_400_000,
    jobs: {
      baseUrl,
      clientId: 'sandbox-client',
      ratePerSecond: null,
      concurrency: 4,
      timeoutMs: 1_000,
    },
    readBackPerSecond: null,
    requireInbox: true,
    refreshAfterMs: null,
    namespace: '6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11',
    leaseTtlMs: 6_000,
    clockAheadMs: 0,
    sourceTimeZone: null,
    sessionTimeZone: null,
  };
}
