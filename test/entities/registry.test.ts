import { expect, it } from 'vitest';
import { ENTITIES } from '../../src/entities/index.js';
import { ENTITY_NAMES } from '../../src/entities/registry.js';

it('each entity stands in the registry under its own name', () => {
  expect(ENTITIES.map(({ name }) => name)).toEqual(ENTITY_NAMES);
});

it('parents stand before their children', () => {
  const late = ENTITIES.filter(
    ({ parent }, index) => parent && ENTITIES.findIndex(({ name }) => name === parent.entity) >= index,
  );
  expect(late).toEqual([]);
});
