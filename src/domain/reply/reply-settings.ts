/** The word of `platform.replies.reference` for a platform whose children name the id of the path. */
export const PLATFORM_ID = 'platform-id';

/** 200 is in the interface; 201 is what HTTP says of a record that was created. */
export const DEFAULT_ACCEPTED: readonly number[] = [200, 201];

/** Where the result stands in a reply, by the interface. */
export const DEFAULT_DATA = 'data';

/** The word of `platform.replies.data` for a platform that wraps nothing around its results. */
export const WHOLE_REPLY = '.';

/** What `platform.replies.judge` can make of a reply. */
export const CONFIGURED_MEANINGS = [
  'authentication-refused',
  'rejected',
  'deferred',
  'accepted',
  'missing',
] as const;

/** One row of `platform.replies.judge`. */
export interface ConfiguredJudgement {
  readonly status: number;
  /** Text that the body contains; undefined: any body. */
  readonly match?: string | undefined;
  readonly as: (typeof CONFIGURED_MEANINGS)[number];
}

/** How the replies of an area are read: `platform.replies`. */
export interface ReplySettings {
  /** Statuses that mean: done. */
  readonly accepted: readonly number[];
  /** Dotted path of the result in the reply, or `.` for the reply itself. */
  readonly data: string;
  /** Dotted path in the result, or `platform-id`. */
  readonly reference: string;
  /** Rules that stand before the built-in ones, first match first. */
  readonly judge: readonly ConfiguredJudgement[];
}

export const DEFAULT_REPLY_SETTINGS: ReplySettings = {
  accepted: DEFAULT_ACCEPTED,
  data: DEFAULT_DATA,
  reference: 'reference',
  judge: [],
};
