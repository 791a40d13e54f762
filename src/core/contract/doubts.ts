/** Everything that the rules doubt in a body, in their order. */
export function findDoubts(
  rules: readonly DoubtRule[],
  body: DoubtedBody,
  today: string | null,
): readonly Doubt[] {
  return rules.flatMap((rule) => rule(body, today));
}

/** One value of a body that fits the interface's types and is probably wrong all the same. */
interface Doubt {
  /** Dotted path in the body. */
  readonly field: string;
  /** The element of a list, from 0 on. */
  readonly index?: number;
  /** `word`: not a word of the interface; `doubtful`: a value that hardly anybody means. */
  readonly code: 'word' | 'doubtful';
  /** Without the value, so that equal ones can be counted. */
  readonly message: string;
  readonly value: string;
  readonly hint: string;
  /** Whether the strictest reading of the interface rules it out: `sandbox --strict` refuses it then. */
  readonly ruledOut: boolean;
}

/** The fields of a body; they may have any type, because the sandbox asks before it trusts. */
export type DoubtedBody = Readonly<Record<string, unknown>>;

/**
 * One rule about a body. It costs next to nothing while nothing is wrong: sweeps ask it of every row.
 *
 * @param today `YYYY-MM-DD` in the platform's zone; null: nothing is said about days that are past
 */
export type DoubtRule = (body: DoubtedBody, today: string | null) => readonly Doubt[];

/** What a rule gives when nothing is wrong. */
const NO_DOUBTS: readonly Doubt[] = [];

/** A salary object: its currency, and an amount that somebody may earn. */
export function salaryRule(field: string): DoubtRule {
  return (body) => {
    const salary = body[field];
    if (typeof salary !== 'object' || salary === null) return NO_DOUBTS;
    const { currency, amount } = salary as DoubtedBody;
    const foreign = typeof currency === 'string' && !isCurrency(currency);
    const odd = typeof amount === 'number' && amount <= 0;
    const outside = typeof currency === 'string' && typeof amount === 'number' && isOutside(amount, currency);
    if (!foreign && !odd && !outside) return NO_DOUBTS;
    return [
      ...(foreign ? [unknownCurrency(`${field}.currency`, currency)] : []),
      ...(odd ? [noSalary(`${field}.amount`, amount)] : []),
      ...(outside && !foreign && !odd ? [noPay(`${field}.amount`, amount, currency)] : []),
    ];
  };
}

function unknownCurrency(field: string, value: string): Doubt {
  const message = 'is not a currency code of ISO 4217 (three capital letters, such as IDR)';
  const hint = 'Give the currency column a lookup, or return the code from the query.';
  return { field, code: 'doubtful', message, value, hint, ruledOut: true };
}

/** A strict platform takes zero: it contradicts nothing. */
function noSalary(field: string, amount: number): Doubt {
  const message = amount === 0 ? 'is 0, and job seekers see it as 0' : 'is negative';
  const hint = 'Return null where the salary is not known: nullif(column, 0), for instance.';
  return { field, code: 'doubtful', message, value: String(amount), hint, ruledOut: amount < 0 };
}

function isOutside(amount: number, currency: string): boolean {
  const { least, most } = payLimits(currency);
  return amount < least || amount > most;
}

/** Hardly anybody is paid that; a strict platform takes it. */
function noPay(field: string, amount: number, currency: string): Doubt {
  const { least, most } = payLimits(currency);
  const limit =
    amount < least ? `below ${least.toLocaleString('en-US')}` : `above ${most.toLocaleString('en-US')}`;
  const message = `is ${limit} ${currency}, which is hardly what somebody earns in a month`;
  const hint =
    'Is the column the pay, in this currency, and in whole units rather than thousands or cents? Correct the query, or return null.';
  return { field, code: 'doubtful', message, value: String(amount), hint, ruledOut: false };
}

/** Of which a dollar has thousands, hundreds, or not many more than one. */
const SMALL = { least: 10_000, most: 1_000_000_000 };
const MIDDLE = { least: 50, most: 100_000_000 };
const LARGE = { least: 2, most: 1_000_000 };

const SMALL_UNITS = new Set('IDR VND LAK KHR IRR UZS GNF PYG SLL LBP MGA UGX TZS COP MNT MMK IQD'.split(' '));
const MIDDLE_UNITS = new Set(
  'JPY KRW HUF CLP ISK INR PKR BDT LKR NPR PHP TWD THB RUB KES NGN AMD KZT XOF XAF RSD ARS CRC DZD JMD'.split(
    ' ',
  ),
);

/**
 * Between which a month's pay in a currency stands, also an hour's and a year's where these are what is given: three sizes
 * of currencies, wide enough for all of them.
 */
function payLimits(currency: string): typeof SMALL {
  return SMALL_UNITS.has(currency) ? SMALL : MIDDLE_UNITS.has(currency) ? MIDDLE : LARGE;
}

/**
 * Two fields, by dotted path, of which the first must not be above the second: numbers, or days as text. `unit`: of each,
 * the field with its unit; they are compared only in the same one.
 */
export function reversedRule(
  lower: string,
  upper: string,
  unit: readonly [string, string] | null = null,
): DoubtRule {
  const [low, high] = [reader(lower), reader(upper)];
  const units = unit?.map(reader) ?? [];
  return (body) => {
    const least = low(body);
    const most = high(body);
    if (!isBound(least) || !isBound(most) || typeof least !== typeof most || least <= most) return NO_DOUBTS;
    if (new Set(units.map((read) => read(body))).size > 1) return NO_DOUBTS;
    const message = `is ${typeof least === 'string' ? 'after' : 'above'} ${upper}`;
    const value = `${String(least)} > ${String(most)}`;
    const hint =
      'Are the two columns exchanged? Correct the query, or return null where the source has no limit.';
    return [{ field: lower, code: 'doubtful', message, value, hint, ruledOut: true }];
  };
}

function reader(path: string): (body: DoubtedBody) => unknown {
  const [first = '', second] = path.split('.');
  if (second === undefined) return (body) => body[first];
  return (body) => {
    const part = body[first];
    return typeof part === 'object' && part !== null ? (part as DoubtedBody)[second] : undefined;
  };
}

function isBound(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

/** More places than an offer has: it is probably a code, an amount of money or a telephone number. */
const MOST_PLACES = 1_000;

/**
 * A number of places. It cannot be negative; none at all, or very many, is probably another column. That is not ruled out,
 * because the interface names no limits.
 */
export function placesRule(field: string): DoubtRule {
  const negative = betweenRule(field);
  return (body, today) => {
    const value = body[field];
    if (typeof value !== 'number' || (value > 0 && value <= MOST_PLACES)) return NO_DOUBTS;
    if (value < 0) return negative(body, today);
    const message = value === 0 ? 'is 0' : `is above ${String(MOST_PLACES)}`;
    const hint = 'Is the column the number of places? Correct the query, or return null where it is unknown.';
    return [{ field, code: 'doubtful', message, value: String(value), hint, ruledOut: false }];
  };
}

/** A number that cannot be negative, nor above `most`; null: without a limit. */
export function betweenRule(field: string, most: number | null = null): DoubtRule {
  return (body) => {
    const value = body[field];
    if (typeof value !== 'number' || (value >= 0 && (most === null || value <= most))) return NO_DOUBTS;
    const message = value < 0 ? 'is negative' : `is above ${String(most)}`;
    const hint = 'Correct it in the source, or return null for it from the query.';
    return [{ field, code: 'doubtful', message, value: String(value), hint, ruledOut: true }];
  };
}

/**
 * A last day in the past while the record is open, or at all where no `status` says so. Not ruled out: it is a question
 * of today, and what was accepted yesterday would be refused at its next refresh.
 */
export function pastDayRule(
  field: string,
  status: { readonly field: string; readonly open: string } | null,
): DoubtRule {
  return (body, today) => {
    const day = body[field];
    if (today === null || typeof day !== 'string' || day >= today) return NO_DOUBTS;
    if (status !== null && body[status.field] !== status.open) return NO_DOUBTS;
    const message = status === null ? 'is past' : `is past while ${status.field} is ${status.open}`;
    const hint = `Leave such rows out with WHERE (docs/queries.md, “Closed vacancies”, has the condition)${status === null ? '' : `, or return another ${status.field} for them`}.`;
    return [{ field, code: 'doubtful', message, value: day, hint, ruledOut: false }];
  };
}

/** The country code of a region abroad: ISO 3166-1 alpha-2 in capitals. */
export const countryRule: DoubtRule = ({ region }) => {
  if (typeof region !== 'object' || region === null) return NO_DOUBTS;
  const code = (region as DoubtedBody).country_code;
  if (typeof code !== 'string' || COUNTRY_CODES.has(code)) return NO_DOUBTS;
  const message = 'is not a country code of ISO 3166 (two capital letters, such as SG)';
  const hint = 'Give the column region_country_code a lookup; null in the home country.';
  return [{ field: 'region.country_code', code: 'doubtful', message, value: code, hint, ruledOut: true }];
};

/** Officially assigned ISO 3166-1 alpha-2 codes. Not from Intl, whose list also has regions that are no countries. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
    'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
    'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/** Lower-case snake_case (interface §2). */
const SKILL_CODE = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** The skill codes of a list; one doubt for each code in another form. */
export function skillsRule(field: string): DoubtRule {
  const message = 'must be lower-case snake_case, such as forklift_operation';
  const hint = `Give the column ${field} a lookup, or write it so in the query: ${skillCodeSql('name')}.`;
  return (body) => {
    const list = body[field];
    if (!Array.isArray(list)) return NO_DOUBTS;
    return list.flatMap((value: unknown, index): readonly Doubt[] =>
      typeof value === 'string' && !SKILL_CODE.test(value)
        ? [{ field, index, code: 'word', message, value, hint, ruledOut: true }]
        : [],
    );
  };
}

/**
 * SQL: the text as a skill code, lower-case snake_case (interface §2). `C++` is `cpp`, `C#` is `c_sharp`, `Node.js` is
 * `node_js`. `text`: an SQL expression.
 */
export function skillCodeSql(text: string): string {
  return `trim(both '_' from regexp_replace(replace(replace(lower(${text}), '+', 'p'), '#', '_sharp'), '[^a-z0-9]+', '_', 'g'))`;
}

/** A text field with a closed choice of words. `ruledOut`: whether a strict platform refuses any other. */
export function wordRule(field: string, words: readonly string[], ruledOut = true): DoubtRule {
  const choice = words.join(' or ');
  return (body) => {
    const value = body[field];
    if (typeof value !== 'string' || words.includes(value)) return NO_DOUBTS;
    const message = `is not a word that the interface knows (${choice})`;
    const hint = `Give the column ${field} a lookup whose id is ${choice}, or - where the field is left out.`;
    return [{ field, code: 'word', message, value, hint, ruledOut }];
  };
}

let codes: ReadonlySet<string> | undefined;

/** Whether the text is a currency code of ISO 4217, in capitals; former ones pass. */
function isCurrency(code: string): boolean {
  // Built at the first question: many commands ask none.
  codes ??= new Set(Intl.supportedValuesOf('currency'));
  return codes.has(code);
}
