import type { Issue } from '../domain/issue.js';
import { compareUtf8, uuidText } from '../domain/key.js';
import {
  type JsonObject,
  type JsonValue,
  LONGEST_JSON,
  type Row,
  type RowValue,
  UNREAD,
} from '../domain/row.js';
import { jsonValue } from './columns.js';
import type { Column, Entity, MapContext } from './entity.js';
import { holdsList, type Lookup, lookupCode } from './lookup.js';
import { convertedText } from './plain-text.js';
import { anyText } from './text-values.js';
import {
  date,
  fault,
  type Fault,
  localTime,
  type Reading,
  scalarText,
  skillElements,
  wholeNumber,
} from './values.js';
import { wayOut } from './way-out.js';

/**
 * Reads the columns of one row. Every method gives undefined for an absent value and for one that is wrong; what is
 * wrong, and what is required and absent, is collected in `issues`.
 */
export interface RowReader {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /**
   * Text as it is; with a lookup, the platform's word. `whenAbsent` stands in for an absent value, but not where a
   * lookup leaves the field out.
   */
  text(column: string, whenAbsent?: string): string | undefined;
  /** A UUID of the platform's catalogue, in lower case: by lookup, or as it is. */
  id(column: string): string | undefined;
  /** Through a value rule, which never sees absent text; `isNumber`: the column is of a numeric type. */
  value<T>(column: string, rule: (text: string, isNumber: boolean) => Reading<T>): T | undefined;
  /** `YYYY-MM-DD`, in the platform's zone. */
  day(column: string): string | undefined;
  /** `YYYY-MM-DD HH:MM:SS`, in the platform's zone. */
  time(column: string): string | undefined;
  /**
   * Any JSON, as it is: what an extra field sends. Text that is empty or blank is absent. With a lookup, the id of its
   * code, as `lookupValue` reads it.
   */
  json(column: string): JsonValue | undefined;
  /** De-duplicated and sorted; empty when the column is there and not null but holds nothing. */
  skills(column: string): readonly string[] | undefined;
  /** What stands in the body for a value that the column has not; undefined: nothing. `usual`: without a setting. */
  absent(column: string, usual?: null): null | undefined;
  /** From now on the column may be absent. True: it was required. */
  excuse(column: string): boolean;
  warn(column: string, found: Fault): void;
  /** Adds an issue for each required column that is absent and was not read. Call it last. */
  finish(): void;
}

type Contract = Pick<Entity, 'name' | 'columns' | 'assumedRequired' | 'parent'>;

export function rowReader(entity: Contract, row: Row, context: MapContext): RowReader {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const read = new Set<string>();
  const required = new Set([
    ...entity.columns.filter((column) => column.required === true).map((column) => column.name),
    ...(context.required ?? entity.assumedRequired),
  ]);

  const raw = (name: string): RowValue | undefined => (Object.hasOwn(row, name) ? row[name] : undefined);
  const column = (name: string): Column =>
    entity.columns.find((each) => each.name === name) ?? { name, description: '' };
  const refuse = (name: string, found: Fault, value: RowValue | undefined = raw(name)): undefined => {
    issues.push(columnIssue(column(name), found, value));
  };
  const warn = (name: string, found: Fault): void => {
    warnings.push(columnIssue(column(name), found, raw(name)));
  };
  const absent = (name: string, leftOutBy?: Lookup): undefined => {
    if (!required.has(name)) return;
    const hint = wayOut(entity, name, context.required ?? entity.assumedRequired);
    const message =
      leftOutBy === undefined ? 'is required' : 'is required, but its lookup leaves the field out';
    const first =
      leftOutBy === undefined ? `Fill ${name} in the query.` : `Give its code an id in ${leftOutBy.file}.`;
    refuse(name, { code: 'required', message, ...(hint === null ? {} : { hint: `${first} ${hint}` }) });
  };
  /** As plain text, where the configuration says so. */
  const converted = (name: string): Reading<RowValue | undefined> => {
    const found = raw(name);
    if (found === UNREAD) {
      const message = `is an array or JSON of more than ${LONGEST_JSON.toLocaleString('en')} characters`;
      return fault('range', message, 'Return less of it from the query.');
    }
    if (typeof found !== 'string' || !context.plainText.includes(name)) return { value: found };
    const reading = convertedText(row, name, found);
    if ('warning' in reading && reading.warning !== undefined) warn(name, reading.warning);
    return reading;
  };

  /** What a rule throws is a fault of this value: one row must not end the reading of all others. */
  function guarded<T>(name: string, reading: () => T | undefined): T | undefined {
    read.add(name);
    try {
      return reading();
    } catch (error) {
      return refuse(name, conversionFault(error));
    }
  }

  type Rule<T> = (text: string, isNumber: boolean) => Reading<T | null>;

  function value<T>(name: string, rule: Rule<T>, whenAbsent?: T): T | undefined {
    return guarded(name, () => ruled(name, rule, whenAbsent));
  }

  function ruled<T>(name: string, rule: Rule<T>, whenAbsent?: T): T | undefined {
    const plain = converted(name);
    if ('fault' in plain) return refuse(name, plain.fault);
    const text = scalarText(plain.value);
    if ('fault' in text) return refuse(name, text.fault);
    if (text.value === null) return absent(name) ?? whenAbsent;
    const result = rule(text.value, typeof plain.value === 'number');
    if ('fault' in result) return refuse(name, result.fault);
    if (result.warning !== undefined) warn(name, result.warning);
    // Only a lookup gives null: its `-`.
    return result.value ?? absent(name, context.lookups[name]);
  }

  function asText(name: string): (text: string) => Reading<string | null> {
    const lookup = context.lookups[name];
    if (lookup !== undefined) return (text) => coded(name, text, lookup, false);
    // A key is compared to the letter.
    return name === 'key' || name === entity.parent?.column
      ? (text) => ({ value: text })
      : (text) => anyText(text, name);
  }

  /** A code without id may be left out only where the column may be absent. */
  function coded(name: string, text: string, lookup: Lookup, idIsUuid: boolean): Reading<string | null> {
    const reading = lookupCode(text, lookup, idIsUuid, context.knownIds?.get(name));
    const undecided = 'fault' in reading && reading.fault.code === 'undecided';
    if (!undecided || !required.has(name) || holdsList(name)) return reading;
    const instead = wayOut(entity, name, context.required ?? entity.assumedRequired) ?? '';
    const hint = `in ${lookup.file}; ${name} is required, so - is not possible there. ${instead}`.trim();
    const { message, lookup: found } = reading.fault;
    return fault('undecided', message, hint, found && { lookup: { ...found, todo: 'fill-required' } });
  }

  function asId(name: string): (text: string) => Reading<string | null> {
    const lookup = context.lookups[name];
    if (lookup !== undefined) return (text) => coded(name, text, lookup, true);
    const hint = `For the partner's own codes configure a lookup: entities.${entity.name}.lookups.${name}.`;
    // Lower case, as Postgres and the platform print UUIDs: the same id in capitals is no change.
    return (text) => {
      const uuid = uuidText(text.trim());
      return uuid === null ? fault('format', 'must be a UUID', hint) : { value: uuid };
    };
  }

  function json(name: string): JsonValue | undefined {
    const plain = converted(name);
    if ('fault' in plain) return refuse(name, plain.fault);
    const found = plain.value ?? null;
    if (found === null || (typeof found === 'string' && found.trim() === '')) return absent(name);
    const lookup = context.lookups[name];
    if (lookup !== undefined) return value(name, (code) => lookupValue(code, lookup));
    const reading = jsonValue(found);
    return 'fault' in reading ? refuse(name, reading.fault) : reading.value;
  }

  function skills(name: string): readonly string[] | undefined {
    const found = raw(name);
    if (found === null || found === undefined) return absent(name);
    const plain = converted(name);
    if ('fault' in plain) return refuse(name, plain.fault);
    const elements = skillElements(plain.value ?? '');
    if ('fault' in elements) return refuse(name, elements.fault);
    const rule = asText(name);
    const kept = new Set<string>();
    for (const element of elements.value) {
      const result = rule(element);
      if ('fault' in result) refuse(name, result.fault, element);
      else if (result.value !== null) kept.add(result.value);
    }
    if (kept.size === 0) absent(name);
    return [...kept].sort(compareUtf8);
  }

  return {
    issues,
    warnings,
    text: (name, whenAbsent) => value(name, asText(name), whenAbsent),
    id: (name) => value(name, asId(name)),
    value: (name, rule) => value(name, rule),
    day: (name) => value(name, (text) => date(text, context.zones)),
    time: (name) => value(name, (text) => localTime(text, context.zones)),
    json: (name) => guarded(name, () => json(name)),
    skills: (name) => guarded(name, () => skills(name)),
    absent(name, usual) {
      const { absent: configured = {} } = context;
      if (!Object.hasOwn(configured, name)) return usual;
      return configured[name] === null ? null : undefined;
    },
    excuse: (name) => required.delete(name),
    warn,
    finish() {
      for (const name of required) if (!read.has(name)) value(name, (text) => ({ value: text }));
    },
  };
}

/** Longest value shown in an issue: enough to recognise it, and no whole description in a log. */
const SHOWN_CHARACTERS = 80;

/** What was found, as short text that a database can store; undefined for nothing. */
export function shownValue(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = typeof value === 'string' ? value : jsonText(value);
  const short = text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS - 1)}…`;
  return short.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** A value that a rule could not work on: its exception is about this value, not about the program's state. */
export function conversionFault(error: unknown): Fault {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'type',
    message: `cannot be converted: ${reason.slice(0, 200)}`,
    common: 'cannot be converted',
    hint: 'Correct the value at its source, or convert it in the query.',
  };
}

/** JSON that is nested too deeply to be written, which is what is wrong with it, as dots. */
function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}

/** An issue of one column: `field` is the body's path. */
export function columnIssue(column: Column, found: Fault, value: JsonValue | undefined): Issue {
  const { name, field = name } = column;
  const { code, message, hint, ...shared } = found;
  const own = { field, code, message, value: shownValue(value), hint, ...shared };
  return field === name ? own : { ...own, column: name };
}

/** A number as JSON writes it; a longer one would lose digits. */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;

/** A text in quotes of its own. */
const QUOTED = /^"[^"\\]*"$/;

/**
 * As `lookupCode`, for a column that takes any value: an id that is a number becomes a number. In quotes of its own it
 * stays text, because the platform may know the word `2`.
 */
function lookupValue(code: string, lookup: Lookup): Reading<JsonValue> {
  const reading = lookupCode(code, lookup, false);
  if ('fault' in reading || reading.value === null) return reading;
  const id = reading.value;
  if (NUMBER.test(id)) return { value: Number(id) };
  return { value: QUOTED.test(id) ? id.slice(1, -1) : id };
}

/**
 * The salary object from `<name>_currency` (IDR when absent) and `<name>_amount`, without which there is none. A
 * currency that its lookup leaves out leaves out the whole object: an amount must not be shown in another currency.
 * Null: no salary, and the configuration sends null then.
 */
export function readSalary(
  read: RowReader,
  name: 'salary' | 'min_salary' | 'max_salary',
  rule = wholeNumber,
): JsonObject | null | undefined {
  const currency = read.text(`${name}_currency`, 'IDR');
  const amount = read.value(`${name}_amount`, rule);
  if (amount === undefined) return read.absent(`${name}_amount`);
  if (currency === undefined) return read.absent(`${name}_currency`);
  return { currency, amount };
}

/**
 * The region in the home country from `region_type` and `region_id`, for a body whose region has no country code. Without
 * an id there is no region, nor where its lookup leaves out the type. Null: no region, and the configuration sends null
 * then.
 */
export function readHomeRegion(read: RowReader): JsonObject | null | undefined {
  const type = read.text('region_type', 'city');
  const id = read.id('region_id');
  if (id !== undefined && type !== undefined) return { type, id };
  return read.absent(id === undefined ? 'region_id' : 'region_type');
}

/**
 * The region reference from `region_type`, `region_id` and `region_country_code`. Without an id there is no region;
 * a region abroad, which has a country code, may have none, and then the id is not asked for. A type that its lookup
 * leaves out leaves out the region: an id of one kind must not be sent as one of another. A country code that is left out
 * with its region gets a warning. Null: no region, and the configuration sends null then.
 */
export function readRegion(read: RowReader): JsonObject | null | undefined {
  const type = read.text('region_type', 'city');
  const countryCode = read.text('region_country_code') ?? read.absent('region_country_code', null);
  const abroad = typeof countryCode === 'string';
  const excused = abroad && read.excuse('region_id');
  const faults = read.issues.length;
  const id = read.id('region_id');
  if (id !== undefined && type !== undefined)
    return countryCode === undefined ? { type, id } : { type, id, country_code: countryCode };
  // An id that is wrong makes the record invalid, so nothing of it is sent.
  if (abroad && read.issues.length === faults) {
    const missing = id === undefined ? 'id' : 'type';
    const message = `is not sent, because the region has no ${missing}`;
    const hint = `Return the region’s ${missing} too, or null for the country code.${id === undefined && excused ? ' A strict platform refuses a record without region.' : ''}`;
    read.warn('region_country_code', { code: 'doubtful', message, hint });
  }
  return read.absent(id === undefined ? 'region_id' : 'region_type');
}
