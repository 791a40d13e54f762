import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { AreaDeviations } from '../../config/deviations.js';
import { type BodyBytes, type DigestHeader, digestHeaderValue } from '../../contract/signature.js';
import { type Answer, refusal } from '../answer.js';
import { headerOf, type Headers } from '../request.js';
import type { StoredRecord } from '../store.js';

/**
 * What a platform may ask of a request beyond the interface: a compressed body (`readEncoded`), its digest in a header
 * (`checkDigest`), and a condition with the record's ETag (`checkCondition`, `etagOf`).
 */

type RequestSettings = AreaDeviations['requests'];

/** A body as JSON and as it came; null: there is none. Or the refusal (400, 413, 415). */
export function readEncoded(
  headers: Headers,
  sent: Buffer | null,
  { gzip }: Pick<RequestSettings, 'gzip'>,
  most: number,
): BodyBytes | null | { readonly refused: Answer } {
  if (sent === null) return null;
  const refused = (answer: Answer) => ({ refused: answer });
  const encoding = (headerOf(headers, 'Content-Encoding') ?? 'identity').toLowerCase();
  if (encoding === 'identity')
    return gzip === 'required'
      ? refused(refusal(415, 'The body must be compressed: Content-Encoding: gzip'))
      : { body: sent, sent };
  if (encoding !== 'gzip' || gzip === 'refused')
    return refused(refusal(415, `Content-Encoding ${encoding} is not known here`));
  try {
    return { body: gunzipSync(sent, { maxOutputLength: most }), sent };
  } catch (error) {
    return (error as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      ? refused(refusal(413, 'The body is larger than 1 MiB'))
      : refused(refusal(400, 'The body is not gzip, which Content-Encoding says'));
  }
}

/** The refusal of a request whose digest is missing or wrong; null: nobody asks, or it is right. */
export function checkDigest(
  headers: Headers,
  bytes: BodyBytes | null,
  asked: DigestHeader | null,
): Answer | null {
  if (asked === null || bytes === null) return null;
  const given = headerOf(headers, asked.name);
  if (given === null) return refusal(400, `The header ${asked.name} with the digest of the body is missing`);
  const expected = digestHeaderValue(bytes[asked.of], asked.form);
  return given === expected ? null : refusal(400, `${asked.name} is not the digest of the body: ${expected}`);
}

/** Another one after each Put, also of the same content. */
export function etagOf({ id, reference, puts }: Pick<StoredRecord, 'id' | 'reference' | 'puts'>): string {
  const hash = createHash('sha256').update(`${id} ${reference}`).digest('hex');
  return `"${puts}-${hash.slice(0, 12)}"`;
}

/** The refusal (412, 428) of a request whose condition does not hold, or that has none; null: it may go on. */
export function checkCondition(
  headers: Headers,
  known: StoredRecord | null,
  { etags }: Pick<RequestSettings, 'etags'>,
): Answer | null {
  if (etags === 'none') return null;
  const match = headerOf(headers, 'If-Match');
  const noneMatch = headerOf(headers, 'If-None-Match');
  const current = known === null ? null : etagOf(known);
  if (match !== null && (current === null || (match !== '*' && match !== current)))
    return conditional(412, 'If-Match is not the ETag of the record');
  if (noneMatch !== null && current !== null && (noneMatch === '*' || noneMatch === current))
    return conditional(412, 'The record is there already');
  if (match !== null || noneMatch !== null || etags === 'kept') return null;
  if (current !== null) return conditional(428, 'If-Match with the ETag of the record is required');
  return etags === 'all' ? conditional(428, 'If-None-Match: * is required for a new record') : null;
}

function conditional(status: number, message: string): Answer {
  return { status, body: { message }, message };
}
