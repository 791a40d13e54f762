import { grouped } from '../../../core/domain/text.js';
import { guessCountry, guessCurrency, guessWord, isCity, type References } from '../guess-ids.js';
import type { DraftColumn, DraftQuery, Offer, ValueCount } from './draft-query.js';
import { type QueryFacts, USUAL, type ValueFacts } from './look-at-values.js';

/**
 * What the values of a column have to be like, for each column of the contract that it may fill: a name alone makes no
 * line of a draft. Numbers have a usual size, codes are known words, long texts are sentences. What does not agree is
 * left to a person, as a commented line with the reason.
 */

/** From this on a name says by itself what the column is. */
const SURE = 6.4;

function isSure({ score }: Pick<DraftColumn, 'score'>): boolean {
  return score === undefined || score >= SURE;
}

/** Texts that are sentences: a single word is a mark of something. */
const SENTENCES = new Set(['description', 'qualification', 'about']);
const NAMES = new Set(['title', 'name']);

/** Why the values of a column are not what fills a column of the contract; null: they may be. */
export function disagreement(column: DraftColumn, facts: ValueFacts): string | null {
  const { target, kind } = column;
  const filled = facts.filled - facts.blank;
  if (facts.rows > 0 && filled <= 0)
    return `all ${grouped(facts.rows)} values are null${facts.blank > 0 ? ' or empty' : ''}, so the draft leaves it out`;
  if (facts.unlikely > facts.filled / 2)
    return `${of(facts.unlikely, facts.filled)} are not ${USUAL[target] ?? 'usual'}; is it ${target}`;
  if (kind !== 'text') return null;
  if (facts.json > filled / 2)
    return `${of(facts.json, filled)} are JSON, no text; which part of it is ${target}`;
  if (SENTENCES.has(target) && !isSure(column) && facts.sentence < filled / 2)
    return `${of(filled - facts.sentence, filled)} are single words; is it ${target}`;
  return NAMES.has(target) && facts.number > filled / 2
    ? `${of(facts.number, filled)} are numbers; is it ${target}`
    : null;
}

/** `12 of 400 values` */
export function of(some: number, all: number): string {
  return `${grouped(some)} of ${grouped(all)} values`;
}

/** Whether a code, or its name, is a word for what a column of the contract holds. */
type Knows = (target: string, code: string, label: string | null, references: References) => boolean;

const asWord: Knows = (target, code, label, references) =>
  guessWord(target, code, label, references.get(target) ?? []).id !== '';

const VOCABULARIES: Readonly<Record<string, { readonly knows: Knows; readonly open?: true }>> = {
  gender: { knows: asWord },
  marital: { knows: asWord },
  media: { knows: asWord },
  difficulty_level: { knows: asWord },
  min_education: { knows: asWord },
  job_type: { knows: (...named) => asWord(...named) || CONTRACT.test(named[2] ?? named[1]) },
  industry: { knows: asWord, open: true },
  job_function: { knows: asWord, open: true },
  min_salary_currency: { knows: (_, code, label) => guessCurrency(code, label).id !== '' },
  max_salary_currency: { knows: (_, code, label) => guessCurrency(code, label).id !== '' },
  region_country_code: { knows: (_, code, label) => guessCountry(code, label).id !== '', open: true },
  region_id: {
    knows: (target, code, label, references) => isCity(code, label, references.get(target) ?? []),
    open: true,
  },
};

/** Words of contracts and of hours that are none of the platform's. */
const CONTRACT =
  /permanent|tetap|freelance|lepas|harian|temporary|sementara|project|proyek|seasonal|musiman|outsourc|casual|honorer|kontrak|contract|apprentice|volunteer|student|shift|borongan/i;

/** Takes out of a draft the codes whose values say something else than the name: these become offers. */
export function withAgreedCodes(
  query: DraftQuery,
  codes: QueryFacts['codes'],
  references: References,
): DraftQuery {
  const left = query.columns.flatMap((column) => {
    const why = disagreeing(column, codes.get(column.target) ?? null, references);
    return why === null ? [] : [{ column, why }];
  });
  return {
    ...query,
    columns: query.columns.filter((column) => !left.some((each) => each.column === column)),
    offers: [
      ...query.offers,
      ...left.map(({ column, why }): Offer => {
        const { target, sql, from } = column;
        const counts = codes.get(target);
        const offer = { target, sql, from, question: `${from}: ${why}` };
        return counts ? { ...offer, coded: { column, counts } } : offer;
      }),
    ],
  };
}

/** Names of a list are words of its own, if they are none of another subject; letters and numbers may mean anything. */
function disagreeing(
  column: DraftColumn,
  counts: readonly ValueCount[] | null,
  references: References,
): string | null {
  const { target, codes } = column;
  const vocabulary = VOCABULARIES[target];
  if (!codes || vocabulary === undefined || (counts === null && isSure(column))) return null;
  if (counts === null)
    return `it may be something else; is it ${target}? Its values could not be counted, or are too many`;
  const filled = counts.flatMap(({ value, label, count }) =>
    value === null || value.trim() === '' ? [] : [{ value, name: (label ?? value).trim(), label, count }],
  );
  if (filled.length === 0)
    return counts.length === 0 ? null : 'all values are null, so the draft leaves it out';
  const share = (isOne: (code: (typeof filled)[number]) => boolean) => {
    const sum = (some: typeof filled) => some.reduce((total, { count }) => total + count, 0);
    return sum(filled.filter(isOne)) / sum(filled);
  };
  if (share(({ value, label }) => vocabulary.knows(target, value, label, references)) >= KNOWN) return null;
  const isSilent = share(({ name }) => name.length <= 3 || /^[\d.-]+$/.test(name)) === 1;
  const isOther = share(({ name }) => subjectsOf(name, references).some((one) => one !== target)) >= KNOWN;
  const isOwn = vocabulary.open === true && !isSilent && codes.labelSql !== null && !isOther;
  if (isOwn || (isSure(column) && (isSilent || vocabulary.open === true))) return null;
  const shown = filled.slice(0, SHOWN).map(({ name }) => `'${name.slice(0, 30)}'`);
  return `its values (${shown.join(', ')}${filled.length > SHOWN ? ', …' : ''}) are hardly known as ${target}; is it ${target}`;
}

/** What words say by themselves: the columns of the contract with a list of words of their own that know them. */
export function subjectsOf(word: string, references: References): readonly string[] {
  return Object.entries(VOCABULARIES)
    .filter(([target, { knows, open }]) => open !== true && knows(target, word, null, references))
    .map(([target]) => target);
}

/** Whether only words of a list may stand in a column of the contract. */
export function hasVocabulary(target: string): boolean {
  return VOCABULARIES[target] !== undefined && VOCABULARIES[target].open !== true;
}

export { WORK_MODE } from '../states.js';

/** Share of the records whose code is a known word. */
const KNOWN = 0.2;
const SHOWN = 4;
