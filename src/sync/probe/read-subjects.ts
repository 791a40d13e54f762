import { platformTimestamp } from '../../contract/time.js';
import { SyncError } from '../../domain/errors.js';
import { keySpellings, platformId } from '../../domain/key.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import { readRow } from '../explain/read-row.js';
import type { RunContext } from '../run-context.js';
import { desiredPayload } from '../sweep/desired-payload.js';
import type { ProbeSubjects, ReadSubject } from './probe-subject.js';

/** The entities and keys of the records to send; `child` null: only the parent. */
export interface NamedRecords {
  readonly parent: { readonly entity: ConfiguredEntity; readonly key: string };
  readonly child: { readonly entity: ConfiguredEntity; readonly key: string } | null;
}

type ReadContext = Pick<RunContext, 'source' | 'clock' | 'signal' | 'settings'>;

/**
 * Reads and maps the records with the partner's own queries; or gives the one that is not valid. Errors: SyncError
 * `usage` for a key that the query does not have, and for a child of another parent; those of the source.
 */
export async function readSubjects(
  context: ReadContext,
  named: NamedRecords,
): Promise<ProbeSubjects | Extract<ReadSubject, { issues: unknown }>> {
  const parent = await readSubject(context, named.parent.entity, named.parent.key);
  if ('issues' in parent) return parent;
  if (named.child === null) return { parent: parent.subject, child: null };
  const child = await readSubject(context, named.child.entity, named.child.key);
  if ('issues' in child) return child;
  if (child.subject.parentPlatformId !== parent.subject.platformId) {
    const { entity } = child.subject;
    throw new SyncError(
      'usage',
      `${entity.noun.one} "${child.subject.key}" does not belong to ${parent.subject.entity.noun.one} "${parent.subject.key}".`,
      {
        scope: 'usage',
        hint: `Name a ${entity.noun.one} whose ${entity.parent?.column ?? 'parent'} is "${parent.subject.key}".`,
      },
    );
  }
  return { parent: parent.subject, child: child.subject };
}

async function readSubject(
  { source, clock, signal, settings }: ReadContext,
  entity: ConfiguredEntity,
  asked: string,
): Promise<ReadSubject> {
  const found = await readRow(source, entity.query, keySpellings(asked), signal);
  if (found === null) {
    throw new SyncError('usage', `The query has no ${entity.noun.one} "${asked}".`, {
      scope: 'usage',
      hint: `Keys are compared as text, to the letter. The query is ${entity.query.file}.`,
    });
  }
  const { key, row, rowVersion } = found;
  const mapped = entity.map(row, entity.mapContext);
  const id = platformId(entity.name, key, entity.mapContext.namespace);
  const now = platformTimestamp(clock.now(), settings.platform.timeZone);
  const desired = desiredPayload(entity, mapped, null, id, now);
  if (desired === null) return { entity, key, issues: mapped.issues };
  const { parentPlatformId } = mapped;
  const { payload, hash } = desired;
  return { subject: { entity, key, platformId: id, parentPlatformId, rowVersion, payload, hash } };
}
