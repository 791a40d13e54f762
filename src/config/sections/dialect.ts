import { z } from 'zod';
import { filePath, secretText } from '../setting-types.js';
import { operationOverrides } from './operations.js';
import { replySettings } from './replies.js';
import { signatureSettings } from './signature.js';

/** Headers that belong to the signature, to the body or to the connection. */
const OWN_HEADERS =
  /^(client-id|request-id|request-timestamp|signature|content-\w+|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'is not a name of a header', abort: true })
  .refine((name) => !OWN_HEADERS.test(name), 'is set by the worker itself');

const fixedHeaders = z
  .record(
    headerName,
    secretText().regex(/^[\x20-\x7e]*$/, 'must be plain characters, because it is part of a header'),
  )
  .refine(namedOnce, 'names the same header twice; upper and lower case are the same');

function namedOnce(headers: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(headers);
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

/** Form of an address of a proxy. */
const PROXY_FORM = 'an address such as http://proxy.example:3128';

const proxyAddress = z
  .string()
  .refine(isProxyAddress, `must be ${PROXY_FORM} (http or https), without a path`)
  .meta({ type: PROXY_FORM, secret: 'address' });

function isProxyAddress(value: string): boolean {
  if (/\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, pathname, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

/** Null and `omit`: YAML's own null, so that `absent: null` reads as it is meant. */
export function absentChoice() {
  return z.literal('omit').nullable().meta({ type: 'omit' });
}

const TYPES = {
  replies: 'a block { accepted, data, reference, judge }',
  operations: 'a block of operations, each { method, path, accepted, enabled }',
  signature: 'a block { profile, template, timestamp, signedPrefix }',
  headers: 'a block of name: value',
} as const;

/** How an area's platform speaks where it may differ from the interface: the settings for both areas. */
export const commonDialect = {
  replies: replySettings.prefault({}),
  absent: absentChoice().default('omit').meta({
    description:
      'What becomes of a field for which your query has no value. `omit`: the body leaves it out. Null: the body has it as null, which clears it at a platform that merges what it gets with what it holds. Also per entity and per column.',
  }),
  operations: operationOverrides.prefault({}).meta({
    type: TYPES.operations,
    description:
      'Overrides, enables or disables an operation, such as deleteVacancy: { enabled: true }. An operation that is named here is enabled, unless `enabled` is false. Deletes are off by default. `accepted`: its statuses, instead of `platform.replies.accepted`. The worker warns at every start about an operation that the platform specifies in full.',
  }),
  signature: signatureSettings.prefault({}),
  proxy: proxyAddress.nullable().default(null).meta({
    description:
      'Proxy for requests to the platform. Null: the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide, except for this machine.',
  }),
  ca: filePath().nullable().default(null).meta({
    description:
      'File with further certificates to trust, in PEM form, for a platform or a gateway with an authority of its own.',
  }),
  headers: fixedHeaders.prefault({}).meta({
    type: TYPES.headers,
    description:
      'Further headers of every request, which are not signed, such as a key of a gateway. They may replace Accept and User-Agent.',
  }),
};

const instead = (name: keyof typeof commonDialect) => ({
  description: `Replaces platform.${name} as a whole, for this area.`,
});

/** The same settings in an area's block; undefined: the common one counts. */
export const areaDialect = {
  replies: replySettings.optional().meta({ type: TYPES.replies, ...instead('replies') }),
  absent: absentChoice().optional().meta(instead('absent')),
  operations: operationOverrides.optional().meta({ type: TYPES.operations, ...instead('operations') }),
  signature: signatureSettings.optional().meta({ type: TYPES.signature, ...instead('signature') }),
  proxy: proxyAddress.nullable().optional().meta(instead('proxy')),
  ca: filePath().nullable().optional().meta(instead('ca')),
  headers: fixedHeaders.optional().meta({ type: TYPES.headers, ...instead('headers') }),
};
