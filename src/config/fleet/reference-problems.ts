import { z } from 'zod';
import { safeParse } from 'zod/v4/core';
import { mentions } from '../interpolate.js';
import { pathText, type Problem, type SettingPath } from '../problem.js';
import { unwrap } from '../schema-walk.js';
import { settingsSchema } from '../schema.js';
import { literalSecret } from './literal-secret.js';
import { sampleAddress } from './sample-address.js';
import { variablePrefix } from './tenant-variables.js';
import { textsOf, type SettingText } from './texts-of.js';

/**
 * What is wrong with the references of a tenant's file: the database stores the file, so a secret must be a reference;
 * and what the fleet itself reads when the file is applied must be none. Pure.
 *
 * @param tenant for the names that the messages propose
 * @param data parsed YAML, nothing filled in
 */
export function referenceProblems(tenant: string, data: unknown): readonly Problem[] {
  return textsOf(settingsSchema, data).flatMap((setting) => {
    const message = wrongWith(setting, tenant);
    return message === null ? [] : [{ path: setting.path, message }];
  });
}

const READ_ON_APPLY =
  'must not depend on the environment, because the fleet reads it when the file is applied; write it out';
const BLOCKS = [z.ZodObject, z.ZodRecord, z.ZodArray] as const;
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

/** What the schema says about an address whose references are filled in with samples. An address begins in the file. */
function wrongAround(text: string, schema: z.core.$ZodType): string | null {
  const sample = /^[a-z]+:\/\//i.test(text) ? sampleAddress(text) : null;
  return sample === null ? null : (safeParse(schema, sample.address).error?.issues[0]?.message ?? null);
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
