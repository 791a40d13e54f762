import { z } from 'zod';
import { safeParse } from 'zod/v4/core';
import { mentions, replaceMentions } from '../../../core/config/interpolate.js';
import { pathText, type Problem, type SettingPath } from '../../../core/config/problem.js';
import { unwrap } from '../../../core/config/schema-walk.js';
import { settingsSchema } from '../../../core/config/schema.js';
import { SECRET_PARAMETER } from '../../../core/config/secrets.js';
import { type SettingText, textsOf, variablePrefix } from './tenant-variables.js';

/**
 * What is wrong with the references of a tenant's file: the database stores the file, so a secret must be a reference;
 * and what the fleet itself reads when the file is applied must be none. `data`: parsed YAML, nothing filled in.
 */
export function referenceProblems(tenant: string, data: unknown): readonly Problem[] {
  return textsOf(settingsSchema, data).flatMap((setting) => {
    const message = wrongWith(setting, tenant);
    return message === null ? [] : [{ path: setting.path, message }];
  });
}

const BLOCKS = [z.ZodObject, z.ZodRecord, z.ZodArray] as const;

const READ_ON_APPLY =
  'must not depend on the environment, because the fleet reads it when the file is applied; write it out';

const REPLICAS = 'and give that variable to the replicas';

function wrongWith({ path, text, schema }: SettingText, tenant: string): string | null {
  if (schema === null) return null;
  const { schema: inner, meta } = unwrap(schema);
  const { file, secret } = meta;
  if (BLOCKS.some((block) => inner instanceof block))
    return mentions(text).length > 0 ? 'must be a block of settings or a list; ${NAME} gives text' : null;
  const readOnApply = file === true || path[0] === 'tenant' || pathText(path) === 'state.schema';
  if (readOnApply) return mentions(text).length > 0 ? READ_ON_APPLY : null;
  if (secret === undefined) return null;
  const found = literalSecret(text, secret);
  const whole = variableName(tenant, path);
  const password = variableName(tenant, [...path.filter((part) => part !== 'url'), 'password']);
  switch (found) {
    case 'whole':
      return `a secret must not stand in the file, also not in part or as a default; write \${${whole}}, ${REPLICAS}`;
    case 'password':
      return `a password must not stand in the file, also not in part or as a default; write \${${password}} in its place, ${REPLICAS}`;
    case 'hidden':
      return `it is not clear where the password is in this address; write the whole address as \${${whole}}, ${REPLICAS}`;
    case null:
      return mentions(text).length > 0 ? wrongAround(text, inner) : null;
  }
}

/**
 * Whether a text of the file holds a secret itself, also in part or as a default, where only `${NAME}` may stand. `hidden`: it
 * is an address in which the password cannot be found. Null: it does not, or the text is so wrong that the schema refuses it.
 *
 * @param secret what the schema says about the setting
 */
export function literalSecret(
  text: string,
  secret: 'whole' | 'address',
): 'whole' | 'password' | 'hidden' | null {
  if (replaceMentions(text, ({ fallback }) => fallback ?? '').trim() === '') return null;
  if (secret === 'whole') return 'whole';
  const unclear = mentions(text).length > 0 ? 'hidden' : null;
  const sample = sampleAddress(text);
  if (sample === null) return unclear;
  const { password, pathname, hash, searchParams } = new URL(sample.address);
  const parameters = [...searchParams].flatMap(([name, value]) => (SECRET_PARAMETER.test(name) ? value : []));
  const isLiteral = (value: string) => value.replaceAll(sample.stand, '') !== '';
  if ([password, ...parameters].some(isLiteral)) return 'password';
  // An @ so late: the password has a character that ends the host for a URL.
  return (pathname + hash).includes('@') ? unclear : null;
}

/** An address with something in place of its references. */
interface SampleAddress {
  readonly address: string;
  /** What stands for a value that is not known here; the text has it nowhere else. */
  readonly stand: string;
}

/** Puts defaults, and else a sample, in place of the references in an address. Null: no sample makes it an address. */
function sampleAddress(text: string): SampleAddress | null {
  const number = unusedNumber(text);
  // A number fits where a port stands, a word where a host does.
  for (const stand of [number, `n${number}`]) {
    const address = replaceMentions(text, ({ fallback }) => (fallback ?? '') || stand);
    if (URL.canParse(address)) return { address, stand };
  }
  return null;
}

function unusedNumber(text: string): string {
  let number = 10_000;
  while (text.includes(String(number))) number += 1;
  return String(number);
}

/** `ACME_JOBS_CLIENT_SECRET` for platform.jobs.clientSecret of the tenant acme. */
function variableName(tenant: string, path: SettingPath): string {
  const words = path
    .filter((part) => part !== 'platform')
    .map((part) =>
      String(part)
        .replace(/([a-z])([A-Z])/g, '$1_$2')
        .replace(/\W/g, '_')
        .toUpperCase(),
    );
  return `${variablePrefix(tenant)}${words.join('_')}`;
}

/** What the schema says about an address whose references are filled in with samples. An address begins in the file. */
function wrongAround(text: string, schema: z.core.$ZodType): string | null {
  // What a parameter may be, no sample knows.
  const known = text.replace(/[?&]\w+=[^&]*\$\{[^&]*/g, '');
  const sample = /^[a-z]+:\/\//i.test(text) ? sampleAddress(known) : null;
  const message = sample === null ? undefined : safeParse(schema, sample.address).error?.issues[0]?.message;
  // A part that is missing may come with the value.
  return message === undefined || message.startsWith('has no ') ? null : message;
}
