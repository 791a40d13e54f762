import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENTITIES } from '../../src/entities/index.js';
import { ENTITY_NAMES } from '../../src/entities/registry.js';

it('each entity stands in the registry under its own name', () => {
  expect(ENTITIES.map(({ name }) => name)).toEqual(ENTITY_NAMES);
});

it('parents are in the registry, before their children', () => {
  const late = ENTITIES.filter(
    ({ parent }, index) => parent && !ENTITIES.slice(0, index).some(({ name }) => name === parent.entity),
  );
  expect(late.map(({ name, parent }) => `${name} before ${parent?.entity ?? ''}`)).toEqual([]);
});

it.each(['README.md', 'docs/glossary.md'])('%s names each kind of record', (file) => {
  const text = readFileSync(file, 'utf8').replace(/\s+/g, ' ');
  const unnamed = ENTITY_NAMES.map((name) => name.replaceAll('-', ' ')).filter(
    (name) => !text.includes(name),
  );
  expect(unnamed, `name them in the sentence that lists the kinds of records`).toEqual([]);
});
