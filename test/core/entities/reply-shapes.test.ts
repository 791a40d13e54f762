import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/domain/row.js';
import { compareReadBack } from '../../../src/features/verify/compare-read-back.js';
import { showsAnything } from '../../../src/core/entities/shown-values.js';
import { entity } from '../../../src/core/entities/index.js';

const OTHER = '11111111-2222-4333-8444-555555555555';

const BODIES = [
  ['companies', 'company-full'],
  ['vacancies', 'vacancy-full'],
  ['institutions', 'institution'],
  ['trainings', 'training'],
] as const;

type Name = (typeof BODIES)[number][0];

function bodyOf(name: Name): JsonObject {
  const file = BODIES.find(([each]) => each === name)?.[1] ?? '';
  return JSON.parse(
    readFileSync(new URL(`../../fixtures/bodies/${file}.json`, import.meta.url), 'utf8'),
  ) as JsonObject;
}

function compare(name: Name, data: JsonObject, body: JsonObject = bodyOf(name)) {
  const { readBack, parent, lastDay } = entity(name);
  if (readBack === null) throw new Error(`${name} is not read back`);
  const id = parent === null ? null : ((body[parent.field] as JsonObject | undefined)?.id ?? null);
  const sent = parent === null || id === null ? body : { ...body, [parent.field]: { id } };
  const found = compareReadBack(readBack, sent, data, {
    today: '2026-01-01',
    lastDay,
    timeZone: 'Asia/Jakarta',
  });
  return { drift: found.drift.map(({ field }) => field), notCompared: found.notCompared };
}

const NOTHING = { drift: [], notCompared: [] };

/** The same with each number as text, and each text of digits as a number. */
function retyped(value: JsonValue): JsonValue {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, retyped(each)]));
}

describe('a platform that shows what the request had', () => {
  test.each(BODIES.map(([name]) => name))('as %s at the top: all is the same', (name) => {
    const body = bodyOf(name);
    expect(compare(name, { id: OTHER, reference: OTHER, ...body })).toEqual(NOTHING);
    expect(compare(name, { id: OTHER, ...(retyped(body) as JsonObject) })).toEqual(NOTHING);
  });

  test.each([
    ['companies', 'company'],
    ['companies', 'employer'],
    ['vacancies', 'vacancy'],
    ['vacancies', 'job'],
    ['institutions', 'institution'],
    ['trainings', 'training'],
    ['trainings', 'attributes'],
  ] as const)('of %s inside of %s: all is the same', (name, wrapper) => {
    expect(compare(name, { id: OTHER, [wrapper]: bodyOf(name) })).toEqual(NOTHING);
  });

  test.each(BODIES.map(([name]) => name))('of %s with another region: both of its fields tell it', (name) => {
    const body = bodyOf(name);
    const data = { ...body, region: { type: 'village', id: OTHER, country_code: null } };
    expect(compare(name, data).drift).toEqual(['region.type', 'region.id']);
  });
});

describe('a field that the reply does not show', () => {
  test.each(BODIES.map(([name]) => name))('of %s is not compared, and named', (name) => {
    const { region, ...rest } = bodyOf(name);
    expect(region).toBeDefined();
    expect(compare(name, rest)).toEqual({ drift: [], notCompared: ['region.type', 'region.id'] });
  });

  test('is not taken from a record of another kind', () => {
    const body = bodyOf('companies');
    const { name: _, ...employer } = body;
    const data = { industry: { id: body.industry ?? null, name: 'Mining' }, employer };
    expect(compare('companies', data)).toEqual({ drift: [], notCompared: ['name'] });
  });

  test.each([
    ['a region record of which only its own id is shown', { id: OTHER, name: 'Bandung' }],
    ['a region that is named', 'Bandung'],
    ['an empty list, as some write an empty object', []],
  ])('is also %s', (_, region) => {
    const data = { ...bodyOf('institutions'), region };
    expect(compare('institutions', data)).toEqual({
      drift: [],
      notCompared: ['region.type', 'region.id'],
    });
  });

  test('that the interface does not list is compared only if it is shown as it was sent', () => {
    const body = { ...bodyOf('institutions'), size: 4, tags: ['a'] };
    expect(compare('institutions', { ...body, size: '4' }, body)).toEqual({
      drift: [],
      notCompared: ['size'],
    });
  });

  test('leaves a reply that shows no field at all without meaning', () => {
    for (const [name] of BODIES) {
      const { readBack } = entity(name);
      if (readBack === null) throw new Error(name);
      expect(showsAnything(readBack, { id: OTHER, reference: OTHER, created_at: 'x' })).toBe(false);
      expect(showsAnything(readBack, bodyOf(name))).toBe(true);
    }
  });
});

describe('both shapes of a region', () => {
  const shapes: readonly [string, string][] = [
    ['regionable_type', 'regionable_id'],
    ['type', 'id'],
  ];

  test.each(shapes)('are read: %s and %s', (type, id) => {
    const body = bodyOf('institutions');
    const sent = body.region as { id: string };
    const held = (value: string) => ({ ...body, region: { id: OTHER, [type]: 'city', [id]: value } });
    expect(compare('institutions', held(sent.id))).toEqual(NOTHING);
    expect(compare('institutions', held(OTHER)).drift).toEqual(['region.id']);
  });

  test.each(shapes)('may be nothing: %s and %s', (type, id) => {
    const { region: _, ...body } = bodyOf('institutions');
    for (const region of [null, { [type]: null, [id]: null }]) {
      expect(compare('institutions', { ...body, region }, body)).toEqual(NOTHING);
      expect(compare('institutions', { ...body, region }).drift).toEqual(['region.type', 'region.id']);
    }
    const left = { ...body, region: { [type]: 'city', [id]: OTHER } };
    expect(compare('institutions', left, body).drift).toEqual(['region.type', 'region.id']);
  });
});

test('an object whose fields are null is nothing', () => {
  const { min_education: _, industry: __, min_salary: ___, ...body } = bodyOf('vacancies');
  const nothing = { min_education: { id: null, name: null }, industry: { id: null }, min_salary: null };
  expect(compare('vacancies', { ...body, ...nothing }, body)).toEqual(NOTHING);
  expect(compare('vacancies', { ...body, ...nothing }).drift).toEqual([
    'industry',
    'min_education',
    'min_salary.currency',
    'min_salary.amount',
  ]);
});

test('a parent is the same under its reference and under another id that the reply shows', () => {
  const body = bodyOf('vacancies');
  const { id } = body.employer as { id: string };
  const held = (employer: JsonObject) => compare('vacancies', { ...body, employer });
  expect(held({ id: OTHER, reference: id })).toEqual(NOTHING);
  expect(held({ id, reference: OTHER })).toEqual(NOTHING);
  expect(held({ id: OTHER, reference: OTHER }).drift).toEqual(['employer.id']);
  expect(held({ id: OTHER, name: 'PT Satu' })).toEqual({ drift: [], notCompared: ['employer.id'] });
});

test('what is held while nothing was sent is a difference, and known as left over unless null was sent', () => {
  const { readBack } = entity('companies');
  if (readBack === null) throw new Error('companies');
  const options = { today: '2026-01-01', lastDay: null, timeZone: 'Asia/Jakarta' };
  const data = { name: 'PT Satu', website: 'https://old.example', phone: '021', logo_uri: 'https://a/b' };
  const body = { name: 'PT Satu', phone: null, logo_uri: null };
  const { drift, leftOver } = compareReadBack(readBack, body, data, options);
  expect(drift.map(({ field }) => field)).toEqual(['phone', 'website', 'logo_uri']);
  expect(leftOver).toEqual(['website']);
});
