import type { Catalog } from '../../catalog/catalog.js';
import { describeQuery, inParentheses, prepareQuery } from '../../../core/source/query.js';
import { type ReadOnlyOptions, withReadOnly } from '../../catalog/with-read-only.js';
import type { DoctorSettings, EntityInspection } from '../facts.js';
import { type DoctorEntity, type Fact, learn, unread } from '../finding.js';
import { queryShape } from '../sql/query-shape.js';
import { querySources } from '../sql/sources.js';
import { type InspectContext, readTables } from './inspect-context.js';
import { readKept } from './read-kept.js';
import { readLosses } from './read-losses.js';
import { readSources } from './read-sources.js';

interface InspectOptions extends ReadOnlyOptions {
  readonly catalog: Catalog;
  readonly settings: DoctorSettings;
}

/**
 * Everything about an entity's query but its rows, in one read-only transaction. What cannot be read does not end the
 * rest; a query that Postgres does not accept makes everything unknown.
 */
export async function inspectEntity(
  entity: DoctorEntity,
  options: InspectOptions,
): Promise<EntityInspection> {
  const { catalog, settings, signal } = options;
  const { sessionTimeZone } = settings.source;
  const shape = queryShape(entity.query.sql);
  try {
    return await withReadOnly({ ...options, sessionTimeZone, searchPath: 'ofRole' }, async (read) => {
      const columns = await describeQuery(read, entity.query, inParentheses(prepareQuery(entity.query)));
      const sources = querySources(entity.query.sql, shape);
      const tableOf = await readTables(read, catalog, sources);
      const context: InspectContext = { read, entity, shape, sources, catalog, tableOf };
      return {
        entity,
        columns: { value: columns },
        losses: await learn(() => readLosses(context)),
        kept: await learn(() => readKept(context)),
        sources: await learn(() => readSources(context)),
      };
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    return unreadInspection(entity, unread((error as Error).message));
  }
}

/** What is known of a query that was not read: its text, and for everything else the cause, if there is one. */
export function unreadInspection(entity: DoctorEntity, source: Fact<unknown>): EntityInspection {
  const fact = 'cause' in source ? source : unread('it was not read');
  return {
    entity,
    columns: fact,
    kept: fact,
    sources: fact,
    losses: fact,
  };
}
