import { createHash } from 'node:crypto';
import type { ConfiguredEntity } from '../../core/context.js';
import { canonicalJson } from '../../core/domain/payload.js';
import { compareText } from '../../core/domain/text.js';

/**
 * sha256 over everything that decides how a row becomes a payload, by content: never a path, never a credential.
 * When it differs from the one of the last sweep, every row is mapped again.
 */
export function mappingFingerprint(
  entity: Omit<ConfiguredEntity, 'fingerprint'>,
  {
    session,
    ...timeZones
  }: { readonly source: string | null; readonly platform: string; readonly session: string | null },
): string {
  const { mapContext } = entity;
  const lookups = Object.fromEntries(
    Object.entries(mapContext.lookups).map(([column, { entries }]) => [column, sortedByCode(entries)]),
  );
  const absent = Object.entries(mapContext.absent ?? {});
  const extraFields = Object.entries(mapContext.extraFields ?? {});
  const content = canonicalJson({
    entity: entity.name,
    mapVersion: entity.mapVersion,
    sql: entity.query.sql,
    onVanished: entity.onVanished,
    ...(entity.onVanished === 'close' ? { closedStatus: entity.closedStatus } : {}),
    ...(entity.application ? { requireInbox: entity.requireInbox } : {}),
    plainText: [...mapContext.plainText].sort(),
    required: mapContext.required && [...mapContext.required].sort(),
    ...(extraFields.length > 0 ? { extraFields: Object.fromEntries(extraFields) } : {}),
    ...(absent.length > 0 ? { absent: Object.fromEntries(absent) } : {}),
    namespace: mapContext.namespace,
    lookups,
    // Left out where it is the server's own, so that what was stored before there was this setting stays the same.
    timeZones: session === null ? timeZones : { ...timeZones, session },
  });
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function sortedByCode(entries: ReadonlyMap<string, string>): [string, string][] {
  return [...entries].sort(([a], [b]) => compareText(a, b));
}
