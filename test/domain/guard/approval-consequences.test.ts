import { describe, expect, it } from 'vitest';
import { type Approvable, approvalConsequences, type VanishedSettings } from '../../../src/domain/guard.js';
import { type Language, LANGUAGES } from '../../../src/domain/names.js';
import { describeConsequences } from '../../../src/domain/trouble/consequences.js';
import { PLAIN_WORDS } from '../../../src/domain/trouble/describe-trouble.js';

const gone = (vanished: number, invalid = 0): Approvable => ({ sweep: { vanished, invalid }, push: null });
const under = (onVanished: VanishedSettings['onVanished'], closedStatus = 'closed') => ({
  onVanished,
  closedStatus,
});

/** What a person reads about vacancies. */
const said = (held: Approvable, settings: VanishedSettings | null, language: Language = 'en') =>
  describeConsequences(approvalConsequences(held, settings), 'vacancies', language, PLAIN_WORDS);

describe('an approval', () => {
  it.each([
    ['closes', gone(151), under('close'), ['151 vacancies will be CLOSED at the platform.']],
    [
      'closes with another status',
      gone(1_510),
      under('close', 'filled'),
      ['1,510 vacancies will be CLOSED at the platform (status "filled").'],
    ],
    ['closes one', gone(1), under('close'), ['1 record of vacancies will be CLOSED at the platform.']],
    ['deletes', gone(2), under('delete'), ['2 vacancies will be DELETED at the platform.']],
    [
      'only marks',
      gone(151),
      under('report'),
      ['151 vacancies will only be marked as vanished: nothing is sent, and the platform keeps them.'],
    ],
    ['does nothing to what is ignored', gone(151), under('ignore'), []],
    [
      'marks as invalid what became so',
      gone(0, 40),
      under('close'),
      ['40 vacancies will be marked as invalid: nothing more is sent, and the platform keeps what it holds.'],
    ],
    [
      'overwrites what changed',
      { sweep: { vanished: 0, invalid: 0, changed: 120 }, push: null },
      under('close'),
      ['120 vacancies will be OVERWRITTEN at the platform with other content.'],
    ],
    [
      'creates again what has a new key',
      { sweep: { vanished: 194, invalid: 0, renewed: 194 }, push: null },
      under('close'),
      [
        '194 vacancies with new keys will be CREATED at the platform. If the keys were renewed, each record is there twice then.',
        '194 vacancies will be CLOSED at the platform.',
      ],
    ],
    [
      'sends again what was rejected',
      { sweep: null, push: { rejected: 9 } },
      under('close'),
      ['9 rejected records of vacancies will be sent again.'],
    ],
    [
      'sends one again',
      { sweep: null, push: { rejected: 1 } },
      under('close'),
      ['1 rejected record of vacancies will be sent again.'],
    ],
    [
      'sends again what was not counted',
      { sweep: null, push: { rejected: null } },
      under('close'),
      ['The rejected records of vacancies will be sent again.'],
    ],
    ['says nothing of a policy that is not known', gone(151), null, []],
    ['does nothing to an entity that is not held', { sweep: null, push: null }, under('close'), []],
  ] satisfies [string, Approvable, VanishedSettings | null, string[]][])(
    '%s',
    (_name, held, settings, sentences) => {
      expect(said(held, settings)).toEqual(sentences);
    },
  );

  it('that does several things names each, what the platform sees first', () => {
    const both: Approvable = { sweep: { vanished: 2, invalid: 3 }, push: { rejected: 4 } };
    const does = approvalConsequences(both, under('close')).map((one) => one.does);
    expect(does).toEqual(['close', 'send-again', 'mark-invalid']);
  });

  it('is described in every language, each with its own words and every number', () => {
    const every: [Approvable, VanishedSettings][] = [
      [{ sweep: { vanished: 5, invalid: 6 }, push: { rejected: 7 } }, under('close', 'x')],
      [gone(5), under('delete')],
      [gone(5), under('report')],
      [{ sweep: { vanished: 5, invalid: 0, changed: 6, renewed: 7 }, push: null }, under('close')],
      [{ sweep: null, push: { rejected: null } }, under('report')],
    ];
    for (const [held, settings] of every) {
      const [english, ...others] = LANGUAGES.map((language) => said(held, settings, language));
      for (const other of others) {
        expect(other).toHaveLength(english?.length ?? 0);
        other.forEach((sentence, at) => {
          expect(sentence).not.toBe(english?.[at]);
          expect(sentence.match(/\d+/g)).toEqual(english?.[at]?.match(/\d+/g));
        });
      }
    }
  });

  it('names the entity as the middle of a sentence does, whatever its title', () => {
    const words = { ...PLAIN_WORDS, entity: () => 'Lowongan' };
    const [sentence] = describeConsequences(
      approvalConsequences(gone(3), under('close')),
      'vacancies',
      'id',
      words,
    );
    expect(sentence).toBe('3 lowongan akan DITUTUP di platform.');
  });
});
