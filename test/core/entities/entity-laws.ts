import type { z } from 'zod';
import { bodyFields } from '../../../src/core/contract/schema-fields.js';
import type { Issue } from '../../../src/core/domain/issue.js';
import type { JsonValue, Row, RowValue } from '../../../src/core/domain/row.js';
import type { Column, Entity, Mapped } from '../../../src/core/entities/entity.js';
import { schemaFields } from '../contract/schema-fields.js';

/**
 * What must hold of every entity, so that a step that was forgotten is named. A law takes a definition and gives what is
 * wrong with it, each with the place where it is put right. Laws are functions, so that they can be tried on a
 * definition that is broken on purpose.
 *
 * Four of them look at the map from outside: a full row is made by trying values until the map accepts all of them; then
 * one column at a time gets another value, and what changes in the payload is what the column fills.
 */
export interface EntityLaw {
  readonly title: string;
  readonly problems: (entity: Entity) => readonly string[];
}

export const ENTITY_LAWS: readonly EntityLaw[] = [
  {
    title: 'a row with a value in each column makes a payload that the body of the interface accepts',
    problems: (entity) => probe(entity).refused,
  },
  {
    title: 'each column fills the field of the payload that it is listed with',
    problems: idleColumns,
  },
  {
    title: 'the map reads only columns that are listed, because a query may return no other',
    problems: (entity) =>
      [...probe(entity).read]
        .filter((name) => !entity.columns.some((column) => column.name === name))
        .map(
          (name) =>
            `${of(entity)} reads the column ${name}, which is not in its columns: list it with a description`,
        ),
  },
  { title: 'each field of the body is filled by a column, or by the parent', problems: unfilledFields },
  {
    title: 'a body with the object of a parent has a parent, whose key is a column',
    problems: parentProblems,
  },
  { title: 'verify compares each field of the body, or names it as not shown', problems: readBackProblems },
  { title: 'the OpenAPI document names the body and the replies after the entity', problems: schemaProblems },
];

/** Names of schemas that two entities give to different ones: in the document the later one would replace the other. */
export function schemaNameClashes(entities: readonly Pick<Entity, 'name' | 'schemas'>[]): readonly string[] {
  return entities.flatMap(({ name, schemas }, at) =>
    Object.entries(schemas).flatMap(([schemaName, schema]) =>
      entities
        .slice(0, at)
        .filter((other) => (other.schemas[schemaName] ?? schema) !== schema)
        .map((other) => `${name} and ${other.name} both call a schema ${schemaName}`),
    ),
  );
}

/** `exists` is asked for the example query. Statuses of applications come from the webhook, and the sample has none. */
export function exampleQueryProblems(
  { name, application }: Pick<Entity, 'name' | 'application'>,
  exists: (path: string) => boolean,
): readonly string[] {
  const path = `config/queries/${name}.sql`;
  return application || exists(path)
    ? []
    : [
        `${path} is missing: write the example query of ${name}, and its block in config/placement-sync.example.yaml`,
      ];
}

/** Columns that say which record a row is. They are no part of the payload. */
const OF_THE_RECORD = ['key', 'row_version'];

const of = ({ name }: Pick<Entity, 'name'>) => `src/core/entities/${name}.ts`;

function idleColumns(entity: Entity): readonly string[] {
  const { refused, fills } = probe(entity);
  if (refused.length > 0) return [];
  const others = [...OF_THE_RECORD, ...(entity.parent === null ? [] : [entity.parent.column])];
  return entity.columns.flatMap(({ name, field = name }) => {
    const filled = fills.get(name) ?? [];
    if (others.includes(name) || filled.includes(field)) return [];
    return filled.length === 0
      ? [
          `${of(entity)}: nothing changes with the column ${name}: read it in the map, or take it off the columns`,
        ]
      : [`${of(entity)}: the column ${name} fills ${filled.join(', ')}, not ${field}: correct its field`];
  });
}

function unfilledFields(entity: Entity): readonly string[] {
  const { refused, fills } = probe(entity);
  if (refused.length > 0) return [];
  const filled = new Set([...fills.values()].flat());
  return ownFields(entity)
    .filter((field) => !filled.has(field))
    .map(
      (field) =>
        `${of(entity)}: no column fills ${field} of the body: list a column for it, and read it in the map`,
    );
}

function parentProblems(entity: Entity): readonly string[] {
  const { parent, columns } = entity;
  if (parent === null) {
    // A parent is sent whole, under the id that the platform gave it.
    const objects = bodyFields(body(entity)).filter((top) =>
      ownFields(entity).some((field) => field === `${top}.name`),
    );
    return objects.map(
      (top) =>
        `${of(entity)}: the body has ${top}, and parent is null: name its entity, its column and its field`,
    );
  }
  const problems: string[] = [];
  if (!bodyFields(body(entity)).includes(parent.field))
    problems.push(`${of(entity)}: parent.field is ${parent.field}, which is no field of the body`);
  const column = columns.find(({ name }) => name === parent.column);
  if (column?.field !== parent.field)
    problems.push(`${of(entity)}: list the column ${parent.column} with field ${parent.field}`);
  const { refused, fills } = probe(entity);
  if (refused.length === 0 && !fills.get(parent.column)?.includes(PARENT))
    problems.push(`${of(entity)}: the column ${parent.column} does not decide which parent a record has`);
  return problems;
}

function readBackProblems(entity: Entity): readonly string[] {
  const { readBack, parent } = entity;
  if (readBack === null)
    return entity.operations.some(({ kind }) => kind === 'GET')
      ? [`${of(entity)}: readBack is null, and the contract has a Find: say where it shows each field`]
      : [];
  const compared = readBack.fields.map(({ sent }) => sent);
  const sent = [...ownFields(entity), ...(parent === null ? [] : [`${parent.field}.id`])];
  return [
    ...sent
      .filter((field) => !compared.includes(field))
      .map(
        (field) =>
          `${of(entity)}: verify never compares ${field}: add it to the fields of readBack, or to unshown(…)`,
      ),
    ...compared
      .filter((field) => !sent.includes(field))
      .map((field) => `${of(entity)}: readBack compares ${field}, which is no field of the body`),
  ];
}

/** `putVacancy` sends a VacancyBody and gives a VacancyResult; `findVacancy` gives a Vacancy. */
function schemaProblems(entity: Entity): readonly string[] {
  const { operations, put, schemas, name } = entity;
  const word = put.replace(/^[a-z]+/, '');
  const expected = operations.flatMap(({ kind, body: sent, reply }): [string, z.ZodType][] => {
    if (kind === 'DELETE') return [];
    if (kind === 'GET') return [[word, reply]];
    return [
      ...(sent === null ? [] : [[`${word}Body`, sent] as [string, z.ZodType]]),
      [`${word}Result`, reply],
    ];
  });
  const used = new Set<z.ZodType>();
  for (const [, schema] of expected) collectSchemas(schema, used);
  return [
    ...expected
      .filter(([schemaName, schema]) => schemas[schemaName] !== schema)
      .map(
        ([schemaName]) =>
          `the contract of ${name}: schemas lacks ${schemaName}, or gives that name to another schema`,
      ),
    ...Object.entries(schemas)
      .filter(([, schema]) => !used.has(schema))
      .map(
        ([schemaName]) =>
          `the contract of ${name}: schemas names ${schemaName}, which no body or reply of ${name} has`,
      ),
  ];
}

function body({ operations, put }: Entity): z.ZodType | null {
  return operations.find(({ name }) => name === put)?.body ?? null;
}

/** Paths of the body's values without the parent's. A list counts as one value. */
function ownFields(entity: Entity): readonly string[] {
  const schema = body(entity);
  const paths =
    schema === null ? [] : schemaFields(schema, 'assumed').map(({ path }) => path.split('[]')[0] ?? '');
  const { parent } = entity;
  return [...new Set(paths)].filter((path) => parent === null || path.split('.')[0] !== parent.field);
}

/** The schema and every one in it. */
function collectSchemas(schema: z.ZodType, found: Set<z.ZodType>): void {
  if (found.has(schema)) return;
  found.add(schema);
  const { shape, innerType, element, options } = schema.def as {
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly innerType?: z.ZodType;
    readonly element?: z.ZodType;
    readonly options?: readonly z.ZodType[];
  };
  for (const inner of [...Object.values(shape ?? {}), innerType, element, ...(options ?? [])])
    if (inner !== undefined) collectSchemas(inner, found);
}

interface Probe {
  /** Why no full row is accepted. With one of these, nothing below is known. */
  readonly refused: readonly string[];
  /** Names that the map looked for in a row. */
  readonly read: ReadonlySet<string>;
  /** By column: paths of the payload that change with it; `PARENT` for the record's parent. */
  readonly fills: ReadonlyMap<string, readonly string[]>;
}

/** Not a path of any body. */
const PARENT = '(parent)';

/** Pairs of values of one type, of which every column takes one. */
const PAIRS: readonly (readonly [RowValue, RowValue])[] = [
  ['satu kata', 'dua kata'],
  ['898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4a', '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30'],
  ['https://contoh.id/1', 'https://contoh.id/2'],
  ['1', '2'],
  ['true', 'false'],
  ['2030-01-31', '2030-02-28'],
  ['2030-01-31 08:00:00+07', '2030-02-28 09:30:00+07'],
  ['ID', 'SG'],
  [['satu'], ['dua']],
];

const probes = new WeakMap<Entity, Probe>();

function probe(entity: Entity): Probe {
  const known = probes.get(entity) ?? tryColumns(entity);
  probes.set(entity, known);
  return known;
}

function tryColumns(entity: Entity): Probe {
  const read = new Set<string>();
  const map = (row: Row): Mapped =>
    entity.map(noting(row, read), {
      lookups: {},
      plainText: [],
      required: null,
      namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    });
  map({});
  const chosen = new Map(entity.columns.map(({ name }) => [name, 0]));
  const rowOf = (changed?: string, value?: RowValue): Row =>
    Object.fromEntries(
      [...chosen].map(([name, pair]) => [
        name,
        name === changed ? (value ?? null) : (PAIRS[pair]?.[0] ?? null),
      ]),
    );
  for (;;) {
    const { issues } = map(rowOf());
    if (issues.length === 0) break;
    const refused = issues.flatMap((issue) => nextPair(entity, issue, chosen));
    if (refused.length > 0) return { refused: [...new Set(refused)], read, fills: new Map() };
  }
  const fills = new Map(
    entity.columns.map(({ name }) => [name, differences(map(rowOf()), otherValues(map, rowOf, name))]),
  );
  return { refused: [], read, fills };
}

/** What the map makes of the full row with other values in one column; those that it refuses left out. */
function otherValues(
  map: (row: Row) => Mapped,
  rowOf: (changed: string, value: RowValue) => Row,
  name: string,
): readonly Mapped[] {
  return PAIRS.flat()
    .map((value) => map(rowOf(name, value)))
    .filter(({ issues }) => issues.length === 0);
}

/** Lets the column of an issue try its next pair; says what is wrong when there is none. */
function nextPair(
  entity: Pick<Entity, 'name' | 'columns'>,
  { field, message }: Issue,
  chosen: Map<string, number>,
): readonly string[] {
  const column: Column | undefined = entity.columns.find((each) => (each.field ?? each.name) === field);
  if (column === undefined)
    return [`${of(entity)}: ${field} ${message}, and no column fills it: list a column, or name the parent`];
  const next = (chosen.get(column.name) ?? 0) + 1;
  if (next >= PAIRS.length)
    return [`${of(entity)}: ${field} ${message} for every value that this test knows`];
  chosen.set(column.name, next);
  return [];
}

/** The row, noting which names are looked for in it. */
function noting(row: Row, read: Set<string>): Row {
  const note = (name: string | symbol) => {
    if (typeof name === 'string') read.add(name);
  };
  return new Proxy(row, {
    get(target, name) {
      note(name);
      return Reflect.get(target, name) as unknown;
    },
    has(target, name) {
      note(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      note(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

/** Paths at which any of the others differs from the first. */
function differences(first: Mapped, others: readonly Mapped[]): readonly string[] {
  const values = valuesOf(first);
  const paths = others.flatMap((other) => {
    const changed = valuesOf(other);
    return [...new Set([...values.keys(), ...changed.keys()])].filter(
      (path) => values.get(path) !== changed.get(path),
    );
  });
  return [...new Set(paths)];
}

function valuesOf({ payload, parentPlatformId }: Mapped): ReadonlyMap<string, string> {
  const found = new Map<string, string>([[PARENT, parentPlatformId ?? '']]);
  const visit = (value: JsonValue | undefined, path: string): void => {
    if (value === undefined) return;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [name, part] of Object.entries(value)) visit(part, path === '' ? name : `${path}.${name}`);
    else found.set(path, JSON.stringify(value));
  };
  visit(payload ?? {}, '');
  return found;
}
