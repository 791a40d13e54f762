import { createRequire } from 'node:module';
import type { v5 } from 'uuid';
import type { EntityName } from '../entity-name.js';
import { uuidText } from './uuid-text.js';

const require = createRequire(import.meta.url);

/** Loaded on first use: never where all keys are UUIDs. */
let uuidV5: typeof v5 | undefined;

/**
 * The UUID that stands for a record in the platform's paths.
 *
 * @param key the partner's primary key as Postgres prints it
 * @param namespace `ids.namespace` of the configuration, a UUID
 * @returns the key itself in lower case when it is a UUID (8-4-4-4-12), else UUIDv5(namespace, `<entity>:<key>`).
 * The same inputs give the same id on every machine and forever, so a lost ledger does not create records twice.
 * @throws TypeError when the namespace is not a UUID
 */
export function platformId(entity: EntityName, key: string, namespace: string): string {
  return (
    uuidText(key) ??
    (uuidV5 ??= (require('uuid') as { v5: typeof v5 }).v5)(`${entity}:${key}`, uuidBytes(namespace))
  );
}

/** By hand: the library refuses namespaces of unknown UUID versions, and Postgres has such UUIDs. */
function uuidBytes(uuid: string): Uint8Array {
  if (uuidText(uuid) === null)
    throw new TypeError(`ids.namespace must be a UUID, not ${JSON.stringify(uuid)}`);
  return Uint8Array.from(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}
