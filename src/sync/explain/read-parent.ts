import { issueText } from '../../domain/issue.js';
import { keySpellings } from '../../domain/key.js';
import { describeParent } from '../../domain/explain-status.js';
import type { Row } from '../../domain/row.js';
import type { RecordView } from '../../ports/records.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { RunContext } from '../run-context.js';
import { readRowOrError } from './read-row-or-error.js';

/** What a record waits for. */
export interface WaitsFor {
  readonly entity: string;
  readonly key: string | null;
  readonly platformId: string;
  readonly reason: string;
}

/**
 * Why the parent of a record has no reference. The ledger has a parent only once a sweep of its entity was applied, so
 * its query is asked too. `row`: of the child. `view`: of the parent in the ledger; null: it is not there.
 */
export async function readParent(
  { source, state, signal, entities }: Pick<RunContext, 'source' | 'state' | 'signal' | 'entities'>,
  { parent: link }: Pick<ConfiguredEntity, 'parent'>,
  row: Row | null,
  { platformId, view }: { readonly platformId: string; readonly view: RecordView['parent'] },
): Promise<WaitsFor | null> {
  if (link === null) return null;
  const named = row?.[link.column];
  const key = view?.key ?? (typeof named === 'string' ? named : null);
  const configured = entities.find(({ name }) => name === link.entity);
  const asks = configured !== undefined && key !== null && (view === null || view.status === 'invalid');
  const read = asks
    ? await readRowOrError({ source, signal }, configured.query, [...new Set([...keySpellings(key), key])])
    : { found: null, error: asks ? null : 'not asked' };
  const [issue] =
    read.found && configured ? configured.map(read.found.row, configured.mapContext).issues : [];
  const { lastSweepAt, hold } = await state.entityStates.read(link.entity);
  const reason = describeParent({
    entity: link.entity,
    key,
    status: view?.status ?? null,
    firstIssue: issue ? issueText(issue) : null,
    inSource: read.error === null ? read.found !== null : null,
    sweptAt: lastSweepAt?.toISOString() ?? null,
    hold,
  });
  return { entity: link.entity, key, platformId, reason };
}
