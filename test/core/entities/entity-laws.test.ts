import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Entity } from '../../../src/core/entities/entity.js';
import { ENTITIES } from '../../../src/core/entities/index.js';
import { mapRow } from '../../../src/core/entities/map-row.js';
import type { RowReader } from '../../../src/core/entities/row-reader.js';
import { ENTITY_LAWS, exampleQueryProblems, schemaNameClashes } from './entity-laws.js';
import { canteens } from './sixth-entity/canteens.js';

describe('every entity of the registry', () => {
  test.each(ENTITY_LAWS)('$title', ({ problems }) => {
    expect(ENTITIES.flatMap(problems)).toEqual([]);
  });

  test('has an example query', () => {
    expect(ENTITIES.flatMap((entity) => exampleQueryProblems(entity, existsSync))).toEqual([]);
  });

  test('has schemas whose names no other entity uses', () => {
    expect(schemaNameClashes(ENTITIES)).toEqual([]);
  });
});

/** Everything that is wrong with a definition, but for its query. */
const problemsOf = (entity: Entity) => ENTITY_LAWS.flatMap(({ problems }) => problems(entity));

/** The entity of `sixth-entity`, changed. Its map reads what `fields` says. */
function changed(
  change: Partial<Entity>,
  fields: (read: RowReader) => Readonly<Record<string, string | undefined>> = (read) => ({
    name: read.text('name'),
    address: read.text('address'),
  }),
): Entity {
  const entity: Entity = {
    ...canteens,
    map: (row, context) => mapRow(entity, row, context, fields),
    ...change,
  };
  return entity;
}

const COLUMNS = canteens.columns;
const READ_BACK = canteens.readBack ?? {
  find: '',
  fields: [],
  linkPaths: { id: '', reference: '' },
  containers: [],
};
const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(canteens.schemas).filter(([name]) => !names.includes(name)));

describe('of an entity that is new', () => {
  test('nothing is wrong when nothing is forgotten', () => {
    expect(problemsOf(canteens)).toEqual([]);
    expect(problemsOf(changed({}))).toEqual([]);
    expect(exampleQueryProblems(canteens, () => true)).toEqual([]);
    expect(schemaNameClashes([...ENTITIES, canteens])).toEqual([]);
  });

  test('a query that was not written is named', () => {
    expect(exampleQueryProblems(canteens, existsSync)).toEqual([
      'config/queries/canteens.sql is missing: write the example query of canteens, and its block in config/placement-sync.example.yaml',
    ]);
  });

  test.each<[string, Entity, readonly string[]]>([
    [
      'a column that the map does not read',
      changed({}, (read) => ({ name: read.text('name') })),
      [
        'src/core/entities/canteens.ts: nothing changes with the column address: read it in the map, or take it off the columns',
        'src/core/entities/canteens.ts: no column fills address of the body: list a column for it, and read it in the map',
      ],
    ],
    [
      'a column that the map reads and no query may return',
      changed({ columns: COLUMNS.filter(({ name }) => name !== 'address') }),
      [
        'src/core/entities/canteens.ts reads the column address, which is not in its columns: list it with a description',
        'src/core/entities/canteens.ts: no column fills address of the body: list a column for it, and read it in the map',
      ],
    ],
    [
      'a column that fills another field than it is listed with',
      changed({}, (read) => ({ name: read.text('address'), address: read.text('name') })),
      [
        'src/core/entities/canteens.ts: the column name fills address, not name: correct its field',
        'src/core/entities/canteens.ts: the column address fills name, not address: correct its field',
      ],
    ],
    [
      'a field that the body does not have',
      changed({}, (read) => ({ name: read.text('name'), adress: read.text('address') })),
      [
        'src/core/entities/canteens.ts: adress is not a field of the interface, and no column fills it: list a column, or name the parent',
      ],
    ],
    [
      'a field that verify does not compare',
      changed({
        readBack: { ...READ_BACK, fields: READ_BACK.fields.filter(({ sent }) => sent !== 'address') },
      }),
      [
        'src/core/entities/canteens.ts: verify never compares address: add it to the fields of readBack, or to unshown(…)',
      ],
    ],
    [
      'a read-back at all',
      changed({ readBack: null }),
      [
        'src/core/entities/canteens.ts: readBack is null, and the contract has a Find: say where it shows each field',
      ],
    ],
    [
      'the name of a schema',
      changed({ schemas: without('CanteenBody') }),
      ['the contract of canteens: schemas lacks CanteenBody, or gives that name to another schema'],
    ],
    [
      'the right place of a schema',
      changed({
        schemas: {
          ...canteens.schemas,
          CompanyBody: ENTITIES[0]?.schemas.CompanyBody ?? {},
        } as Entity['schemas'],
      }),
      ['the contract of canteens: schemas names CompanyBody, which no body or reply of canteens has'],
    ],
    [
      'the column of the parent',
      changed({ columns: COLUMNS.filter(({ name }) => name !== 'company_key') }),
      [
        'src/core/entities/canteens.ts reads the column company_key, which is not in its columns: list it with a description',
        'src/core/entities/canteens.ts: list the column company_key with field company',
        'src/core/entities/canteens.ts: the column company_key does not decide which parent a record has',
      ],
    ],
  ])('%s, forgotten, is named', (_what, entity, expected) => {
    expect(problemsOf(entity)).toEqual(expected);
  });

  test('a parent that the body needs, forgotten, is named', () => {
    expect(problemsOf(changed({ parent: null }))).toContain(
      'src/core/entities/canteens.ts: the body has company, and parent is null: name its entity, its column and its field',
    );
    const columns = COLUMNS.filter(({ name }) => name !== 'company_key');
    expect(problemsOf(changed({ parent: null, columns }))).toContain(
      'src/core/entities/canteens.ts: company is required, and no column fills it: list a column, or name the parent',
    );
  });

  test('a name of a schema that another entity has is named', () => {
    expect(
      schemaNameClashes([
        ...ENTITIES,
        { ...canteens, schemas: { Company: canteens.schemas.Canteen } as Entity['schemas'] },
      ]),
    ).toEqual(['canteens and companies both call a schema Company']);
  });
});
