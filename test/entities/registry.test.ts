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
