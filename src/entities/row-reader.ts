import { compareUtf8 } from '../domain/key/compare-utf8.js';
import { uuidText } from '../domain/key/uuid-text.js';
import type { Issue } from '../domain/issue.js';
import type { JsonValue } from '../domain/json.js';
import type { Row, RowValue } from '../domain/row.js';
import type { Column, Entity, MapContext } from './entity.js';
import { jsonValue } from './extra-fields.js';
import { lookupCode } from './lookup-code.js';
import { holdsList } from './lookup-columns.js';
import { lookupValue } from './lookup-value.js';
import type { Lookup } from './lookup.js';
import { plainText } from './plain-text.js';
import { columnIssue, conversionFault } from './row-issues.js';
import { date } from './value/date.js';
import { localTime } from './value/local-time.js';
import { fault } from './value/reading.js';
import type { Fault, Reading } from './value/reading.js';
import { wayOut } from './way-out.js';
import { scalarText } from './value/scalar-text.js';
import { skillElements } from './value/skills.js';

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
  /** Through a value rule, which never sees absent text. */
  value<T>(column: string, rule: (text: string) => Reading<T>): T | undefined;
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

type Contract = Pick<Entity, 'name' | 'columns' | 'assumedRequired'>;

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
  const converted = (name: string, text: RowValue | undefined): Reading<RowValue | undefined> =>
    typeof text === 'string' && context.plainText.includes(name) ? plainText(text) : { value: text };

  /** What a rule throws is a fault of this value: one row must not end the reading of all others. */
  function guarded<T>(name: string, reading: () => T | undefined): T | undefined {
    read.add(name);
    try {
      return reading();
    } catch (error) {
      return refuse(name, conversionFault(error));
    }
  }

  function value<T>(name: string, rule: (text: string) => Reading<T | null>, whenAbsent?: T): T | undefined {
    return guarded(name, () => ruled(name, rule, whenAbsent));
  }

  function ruled<T>(name: string, rule: (text: string) => Reading<T | null>, whenAbsent?: T): T | undefined {
    const plain = converted(name, raw(name));
    if ('fault' in plain) return refuse(name, plain.fault);
    const text = scalarText(plain.value);
    if ('fault' in text) return refuse(name, text.fault);
    if (text.value === null) return absent(name) ?? whenAbsent;
    const result = rule(text.value);
    if ('fault' in result) return refuse(name, result.fault);
    if (result.warning !== undefined) warn(name, result.warning);
    // Only a lookup gives null: its `-`.
    return result.value ?? absent(name, context.lookups[name]);
  }

  function asText(name: string): (text: string) => Reading<string | null> {
    const lookup = context.lookups[name];
    return lookup === undefined ? (text) => ({ value: text }) : (text) => coded(name, text, lookup, false);
  }

  /** A code without id may be left out only where the column may be absent. */
  function coded(name: string, text: string, lookup: Lookup, idIsUuid: boolean): Reading<string | null> {
    const reading = lookupCode(text, lookup, idIsUuid, context.knownIds?.get(name));
    const undecided = 'fault' in reading && reading.fault.code === 'undecided';
    if (!undecided || !required.has(name) || holdsList(name)) return reading;
    const instead = wayOut(entity, name, context.required ?? entity.assumedRequired) ?? '';
    const hint = `Fill in the id in ${lookup.file}; ${name} is required, so - is not possible there. ${instead}`;
    return fault('undecided', reading.fault.message, hint.trim());
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
    const plain = converted(name, raw(name));
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
    const plain = converted(name, found);
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
