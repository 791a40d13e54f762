import type { OwnBlocks } from '../reply/name-own-blocks.js';
import type { Reply } from '../reply/reply.js';
import type { ConfiguredJudgement } from '../reply/reply-settings.js';

/** What the settings in effect bear. */
export interface ProbeRules {
  /** Requests go over TLS. */
  readonly encrypted: boolean;
  /** Statuses that mean that a Put was done. */
  readonly accepted: { readonly parent: readonly number[]; readonly child: readonly number[] };
  /** Statuses with which a Put may come without a body. */
  readonly empty: readonly number[];
  /** Dotted path in the reply's `data`, or `platform-id`. */
  readonly reference: string;
  readonly judge: readonly ConfiguredJudgement[];
  readonly ratePerSecond: number | null;
  /** Blocks that the area has of its own. */
  readonly own?: OwnBlocks | undefined;
}

/** The reply to a Find, compared with what had just been put. Fields have their names in the body that was sent. */
export interface FoundRecord {
  /** The record in words: `company`. */
  readonly noun: string;
  readonly reply: Reply;
  /** Why nothing can be compared; null: something can. */
  readonly misfit: string | null;
  /** Fields that were sent and are shown; `as`: the type, where it is not the one that was sent. */
  readonly shown: readonly { readonly field: string; readonly as: string | null }[];
  /** Fields that were sent and are not shown, or as null. */
  readonly hidden: readonly string[];
  /** Fields that are shown with another value than was sent. */
  readonly differing: readonly string[];
}

/** The Put without one optional field, and what the Find shows of it then. */
export interface LeftOutField {
  readonly field: string;
  /** It was sent as null, because the settings say so; else it was left out. */
  readonly asNull: boolean;
  readonly put: Reply | null;
  readonly find: Reply | null;
  /** Null: not known. */
  readonly after: 'cleared' | 'kept' | 'changed' | null;
}

/** Everything a first contact has seen. Null: that request was not sent. */
export interface ProbeSeen {
  readonly rules: ProbeRules;
  /** Find of an id that no record has. */
  readonly unknownFind: Reply | null;
  /** The same with a wrong signature. */
  readonly wrongSignature: Reply | null;
  /** The parent, whole, the first time. */
  readonly put: Reply | null;
  readonly found: FoundRecord | null;
  /** The same Put again. */
  readonly putAgain: Reply | null;
  readonly leftOut: LeftOutField | null;
  /** The parent, whole, after the Put without a field. */
  readonly restored: Reply | null;
  /** The record in words that names the parent: `vacancy`; null: none was named. */
  readonly childNoun: string | null;
  readonly putChild: Reply | null;
  readonly foundChild: FoundRecord | null;
  /** The body's field in which the child names its parent: `employer.id`. */
  readonly parentField: string;
  /** A Put with a Request-Id that was used before. */
  readonly repeated: Reply | null;
  /** Why the rest was not tried; null: everything was. */
  readonly ended: string | null;
}
