import type { AreaStop } from '../../core/domain/area-condition.js';
import type { ErrorCode } from '../../core/domain/errors.js';
import { type Consequence, type Hold, USUAL_CLOSED_STATUS } from '../../core/domain/guard.js';
import type { Area, EntityName, Language } from '../../core/domain/names.js';
import type { NotifiedTrouble } from '../../core/domain/notice.js';
import type { LedgerParentProblem } from '../../core/domain/reason.js';
import type { TroubleKind, TroubleOf } from '../../core/domain/trouble/trouble.js';

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
type StopCode = AreaStop['code'];

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
  readonly parentBlocked: (parent: string, problem: LedgerParentProblem) => string;
  /** How a notice says that a trouble began or ended, after the name of the subject. */
  readonly lasts: Readonly<Record<NotifiedTrouble, string>>;
  readonly over: Readonly<Record<NotifiedTrouble, string>>;
}

/** The text of a code; null: none, then the code stands alone. */
export function codeText(texts: Readonly<Record<string, string>>, code: string): string | null {
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}

/** What an approval causes, in one language. `records`: `3 vacancies`, or as `records` of the language has it. */
interface ConsequenceTexts {
  readonly records: (count: string, entity: string, one: boolean) => string;
  readonly rejectedRecords: (count: string | null, entity: string, one: boolean) => string;
  /** Null: the usual status. */
  readonly close: (records: string, status: string | null) => string;
  /** New keys that came while as many vanished. */
  readonly createAgain: (records: string) => string;
  readonly takeSource: (entity: string) => string;
  readonly update: (records: string) => string;
  readonly delete: (records: string) => string;
  readonly markVanished: (records: string) => string;
  readonly markInvalid: (records: string) => string;
  readonly sendAgain: (rejectedRecords: string) => string;
  /** What comes before the sentences. */
  readonly ifApproved: string;
  readonly isApproved: string;
}

/** What an approval causes, in English. */
const ENGLISH_CONSEQUENCES: ConsequenceTexts = {
  records: (count, entity, one) => (one ? `${count} record of ${entity}` : `${count} ${entity}`),
  rejectedRecords: (count, entity, one) =>
    `${count ?? 'The'} rejected ${one ? 'record' : 'records'} of ${entity}`,
  close: (records, status) =>
    `${records} will be CLOSED at the platform${status === null ? '' : ` (status "${status}")`}.`,
  createAgain: (records) =>
    `${records} with new keys will be CREATED at the platform. If the keys were renewed, each record is there twice then.`,
  takeSource: (entity) => `This source becomes the one of ${entity}.`,
  update: (records) => `${records} will be OVERWRITTEN at the platform with other content.`,
  delete: (records) => `${records} will be DELETED at the platform.`,
  markVanished: (records) =>
    `${records} will only be marked as vanished: nothing is sent, and the platform keeps them.`,
  markInvalid: (records) =>
    `${records} will be marked as invalid: nothing more is sent, and the platform keeps what it holds.`,
  sendAgain: (rejectedRecords) => `${rejectedRecords} will be sent again.`,
  ifApproved: 'If you approve:',
  isApproved: 'Approved:',
};

/** What an approval causes, in Indonesian. */
const INDONESIAN_CONSEQUENCES: ConsequenceTexts = {
  records: (count, entity) => `${count} ${entity}`,
  rejectedRecords: (count, entity) => `${count === null ? 'Data' : `${count} data`} ${entity} yang ditolak`,
  close: (records, status) =>
    `${records} akan DITUTUP di platform${status === null ? '' : ` (status "${status}")`}.`,
  createAgain: (records) =>
    `${records} dengan kunci baru akan DIBUAT di platform. Jika kuncinya diganti, setiap data akan ada dua kali.`,
  takeSource: (entity) => `Sumber ini menjadi sumber ${entity}.`,
  update: (records) => `${records} akan DITIMPA di platform dengan isi yang lain.`,
  delete: (records) => `${records} akan DIHAPUS di platform.`,
  markVanished: (records) =>
    `${records} hanya akan ditandai keluar dari sumber: tidak ada yang dikirim, dan platform tetap menyimpannya.`,
  markInvalid: (records) =>
    `${records} akan ditandai tidak valid: tidak ada lagi yang dikirim, dan platform tetap menyimpan isi terakhirnya.`,
  sendAgain: (rejectedRecords) => `${rejectedRecords} akan dikirim lagi.`,
  ifApproved: 'Jika disetujui:',
  isApproved: 'Disetujui:',
};

/** What an approval causes, in every language. */
export const CONSEQUENCE_TEXTS: Readonly<Record<Language, ConsequenceTexts>> = {
  en: ENGLISH_CONSEQUENCES,
  id: INDONESIAN_CONSEQUENCES,
};

/** What an approval of the entity causes, one sentence each, in one language. */
export function describeConsequences(
  consequences: readonly Consequence[],
  entity: EntityName,
  language: Language,
  words: Pick<Words, 'entity' | 'number'>,
): readonly string[] {
  const texts = CONSEQUENCE_TEXTS[language];
  // A title begins with a capital letter; within a sentence it does not.
  const name = words.entity(entity).toLowerCase();
  const records = (count: number) => texts.records(words.number(count), name, count === 1);
  return consequences.map((consequence) => {
    switch (consequence.does) {
      case 'take-source':
        return texts.takeSource(name);
      case 'close': {
        const { count, status } = consequence;
        return texts.close(records(count), status === USUAL_CLOSED_STATUS ? null : status);
      }
      case 'create-again':
        return texts.createAgain(records(consequence.count));
      case 'update':
        return texts.update(records(consequence.count));
      case 'delete':
        return texts.delete(records(consequence.count));
      case 'mark-vanished':
        return texts.markVanished(records(consequence.count));
      case 'mark-invalid':
        return texts.markInvalid(records(consequence.count));
      case 'send-again': {
        const { count } = consequence;
        return texts.sendAgain(
          texts.rejectedRecords(count === null ? null : words.number(count), name, count === 1),
        );
      }
    }
  });
}

/** ` If you approve: 3 vacancies will be CLOSED at the platform.` Empty: nothing is known about it. */
export function approvalSentence(
  trouble: TroubleOf<'held' | 'push-held'>,
  language: Language,
  words: Words,
): string {
  const { ifApproved, isApproved } = CONSEQUENCE_TEXTS[language];
  const { consequences, subject } = trouble;
  const sentences = describeConsequences(consequences, subject.entity, language, words);
  if (sentences.length === 0) return '';
  const begin = trouble.kind === 'held' && trouble.approved ? isApproved : ifApproved;
  return ` ${[begin, ...sentences].join(' ')}`;
}
