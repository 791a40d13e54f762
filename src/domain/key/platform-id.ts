import { hash } from 'node:crypto';
import type { EntityName } from '../entity-name.js';
import { uuidText } from './uuid-text.js';

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
  return uuidText(key) ?? uuidV5(uuidBytes(namespace), `${entity}:${key}`);
}

/** RFC 9562: the SHA-1 of namespace and name, with the version and the variant in their places. */
function uuidV5(namespace: Uint8Array, name: string): string {
  const bytes = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'buffer');
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x50;
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Of any version: Postgres has UUIDs of versions that no standard defines. */
function uuidBytes(uuid: string): Uint8Array {
  if (uuidText(uuid) === null)
    throw new TypeError(`ids.namespace must be a UUID, not ${JSON.stringify(uuid)}`);
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
