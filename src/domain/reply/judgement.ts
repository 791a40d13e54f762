import type { Issue } from '../issue.js';
import type { JsonObject } from '../json.js';

/**
 * What a reply means for the record and for its area.
 * - `accepted`: the platform holds the payload that was sent.
 * - `refused`: the platform never takes this payload; it is sent again when it changes, or by `retry`.
 * - `deferred`: try again later. `known`: whether we still know what the platform holds; false without a reply, which
 *   then needs a confirmation.
 * - `not-understood`: a 2xx that lacks a part. What the platform holds is unknown, and no outage is to blame, but a
 *   setting.
 * - `paused`: handed back; the whole area waits `delayMs` (null: the reply did not say how long).
 * - `stopped`: handed back; the whole area stops, every record stays pending.
 */
export type Judgement =
  | {
      readonly kind: 'accepted';
      /** Null: the operation gives none. */
      readonly reference: string | number | null;
      readonly remoteId: string | null;
      /** What to keep of the reply; null: nothing. */
      readonly details: JsonObject | null;
      readonly statusCode: number;
    }
  | {
      readonly kind: 'refused';
      readonly statusCode: number;
      readonly message: string;
      readonly issues: readonly Issue[];
      /** The platform has no such record, whatever the status. */
      readonly missing?: true;
    }
  | {
      readonly kind: 'deferred';
      readonly known: boolean;
      /** False: no connection came about, so the failure says nothing about the record. */
      readonly reached: boolean;
      readonly statusCode: number | null;
      readonly message: string;
    }
  | {
      readonly kind: 'not-understood';
      readonly statusCode: number;
      /** Which part is missing. */
      readonly message: string;
      /** Which setting says where it is: our own text, without any of the platform. */
      readonly hint: string;
    }
  | {
      readonly kind: 'paused';
      /** False: a gateway answered, perhaps after the platform had processed the request. */
      readonly known: boolean;
      readonly delayMs: number | null;
      readonly statusCode: number;
      readonly message: string;
    }
  | {
      readonly kind: 'stopped';
      readonly code: 'authentication-refused' | 'redirected';
      readonly statusCode: number;
      readonly message: string;
      /** The likely cause and what to do. */
      readonly hint: string;
    };
