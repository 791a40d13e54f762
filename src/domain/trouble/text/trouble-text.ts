import type { Area } from '../../area.js';
import type { EntityName } from '../../entity-name.js';
import type { ErrorCode } from '../../errors.js';
import type { AreaStop } from '../../push/area-condition.js';
import type { Hold } from '../../guard/hold.js';
import type { NotifiedTrouble } from '../../notice/notice.js';
import type { TroubleOf } from '../trouble.js';
import type { TroubleKind } from '../trouble-kinds.js';

/** Names, numbers and times in the form of the place that shows the text. */
export interface Words {
  readonly entity: (name: EntityName) => string;
  readonly area: (name: Area) => string;
  readonly number: (value: number) => string;
  /** A moment that ends a phrase: `3 minutes ago`, or `at 2026-01-31T08:00:00.000Z`. */
  readonly when: (at: Date) => string;
  /** A length of time, milliseconds. */
  readonly span: (ms: number) => string;
}

/** One trouble in our own text: no key, and no text of the platform or a database. */
export interface TroubleText {
  readonly title: string;
  /** What it means. */
  readonly sentence: string;
  /** What to do; the commands are those of `hintCommands`. */
  readonly hint: string;
}

/** Why nothing is sent to an area. */
export type StopCode = AreaStop['code'];

/** Every text about troubles in one language. A missing kind or code does not compile. */
export interface TroubleTexts {
  readonly troubles: {
    readonly [Kind in TroubleKind]: (trouble: TroubleOf<Kind>, words: Words) => TroubleText;
  };
  readonly guards: Readonly<Record<Hold['guard'], string>>;
  /** What ended the sweep or the push of an entity, or a run. */
  readonly errorCodes: Readonly<Partial<Record<ErrorCode, string>> & Record<StopCode, string>>;
  readonly stopHints: Readonly<Record<StopCode, string>>;
  /** Why the parent of a waiting record does not come. The parent's key follows the second one. */
  readonly parentAbsent: (parent: string) => string;
  readonly parentBlocked: (parent: string) => string;
  /** How a notice says that a trouble began or ended, after the name of the subject. */
  readonly lasts: Readonly<Record<NotifiedTrouble, string>>;
  readonly over: Readonly<Record<NotifiedTrouble, string>>;
}
