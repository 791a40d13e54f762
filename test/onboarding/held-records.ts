import { v5 } from 'uuid';
import type { EntityName } from '../../src/domain/names.js';
import type { JsonObject } from '../../src/domain/row.js';
import { ENTITIES } from '../../src/entities/index.js';
import type { RunningSandbox } from '../../src/sandbox/start-sandbox.js';
import type { ExpectedRecords } from './schema-files.js';
import { NAMESPACE } from './schema-world.js';

type Bodies = Readonly<Record<string, object>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id in the path, as the documentation describes it: computed here once more. */
function pathId(entity: EntityName, key: string): string {
  return UUID.test(key) ? key.toLowerCase() : v5(`${entity}:${key}`, NAMESPACE);
}

/** What the platform holds, by entity and path id. */
export function heldRecords(
  sandbox: RunningSandbox,
  entities: readonly EntityName[],
): Record<string, Bodies> {
  return Object.fromEntries(
    chosen(entities).map(({ name, area }) => [
      name,
      Object.fromEntries(sandbox.records(area, name).map(({ id, body }) => [id, body])),
    ]),
  );
}

/** What it should hold: keys become path ids, and a parent's key becomes the parent with its reference. */
export function expectedRecords(sandbox: RunningSandbox, expected: ExpectedRecords): Record<string, Bodies> {
  return Object.fromEntries(
    chosen(Object.keys(expected)).map(({ name, parent }) => [
      name,
      Object.fromEntries(
        Object.entries(expected[name] ?? {}).map(([key, body]) => {
          if (parent === null) return [pathId(name, key), body];
          const { [parent.field]: parentKey, ...own } = body;
          if (typeof parentKey !== 'string') return [pathId(name, key), own];
          return [pathId(name, key), { ...own, [parent.field]: parentBody(parent.entity, parentKey) }];
        }),
      ),
    ]),
  );

  function parentBody(entity: EntityName, key: string): JsonObject {
    const [found] = chosen([entity]).flatMap(({ area }) =>
      sandbox.records(area, entity).filter(({ id }) => id === pathId(entity, key)),
    );
    return { ...expected[entity]?.[key], id: found?.reference ?? `no ${entity} ${key}` };
  }
}

function chosen(names: readonly EntityName[]) {
  return ENTITIES.filter(({ name }) => names.includes(name));
}
