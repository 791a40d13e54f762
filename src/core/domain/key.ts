import { hash } from 'node:crypto';
import type { EntityName } from './names.js';

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

const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * @returns the UUID in lower case when the text is one in the 8-4-4-4-12 form, else null. Any version and variant
 * passes: the platform's own catalogue ids carry version digits that no standard defines.
 */
export function uuidText(text: string): string | null {
  return UUID_FORM.test(text) ? text.toLowerCase() : null;
}

/** A key as it was asked for, and the forms in which a source may have a UUID: Postgres' own, and other systems' text. */
export function keySpellings(key: string): readonly string[] {
  const uuid = uuidText(key);
  return [...new Set([key, ...(uuid === null ? [] : [uuid, uuid.toUpperCase()])])];
}

/** The UUIDs among these keys: their case does not matter. */
export function uuidsOf(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => uuidText(key) ?? []);
}

/**
 * Compares two texts as their UTF-8 bytes would compare, without encoding them: the order of Postgres'
 * `COLLATE "C"`. JavaScript's own `<` compares UTF-16 units, where an emoji (a surrogate pair, D83D…) sorts before
 * U+FF21 although its bytes sort after.
 *
 * @returns below 0, 0 or above 0
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** Moves the surrogates (D800–DFFF), which stand for code points above FFFF, behind E000–FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
