import { z } from 'zod';
import { DURATION_PATTERN } from '../../core/config/duration.js';
import { duration, unwrap } from '../../core/config/schema-walk.js';
import { settingsSchema } from '../../core/config/schema.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The configuration file as JSON Schema (draft 2020-12), for editors: every setting with its description and default,
 * unknown keys refused. `${NAME}` is allowed wherever a value stands. `config check` checks more: the rules between
 * settings, and the named files.
 */
export function configJsonSchema(
  schema: z.core.$ZodType = settingsSchema,
  title = 'Configuration of placement-sync',
): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    // Without a registry of its own, zod would copy our `type` ("a duration such as …") over JSON Schema's.
    metadata: z.registry(),
    override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema),
  });
  return { ...($schema === undefined ? {} : { $schema }), title, ...rest };
}

const DURATION = unwrap(duration()).meta.type;

/** Adds what zod leaves out of one schema. Zod calls it for inner schemas before their wrappers. */
function complete(outer: z.core.$ZodType, json: JsonSchema): void {
  const { schema, meta, nullable, fallback } = unwrap(outer);
  // A duration is text that becomes milliseconds; zod does not export which texts the conversion refuses.
  if (outer instanceof z.ZodPipe && meta.type === DURATION) json.pattern = DURATION_PATTERN;
  if ((outer === schema && isScalar(schema)) || json.pattern === DURATION_PATTERN) allowMention(json);
  // A block whose lines are all commented out is null in YAML and means its defaults.
  if (isBlock(schema) && !nullable && fallback !== undefined) json.type = ['object', 'null'] as never;
  if (fallback !== undefined && !('default' in json)) json.default = fallback;
  if (meta.description !== undefined) json.description = meta.description;
}

function isScalar(schema: z.core.$ZodType): boolean {
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodUUID].some(
    (kind) => schema instanceof kind,
  );
}

/** Text from the environment. Escaped mentions (`$${`) match too: `config check` decides, not an editor. */
const FROM_ENVIRONMENT: JsonSchema = { type: 'string', pattern: '\\$\\{[^}]+\\}' };

/** Also allows text with a mention, unless the schema takes any text anyway. */
function allowMention(json: JsonSchema): void {
  if (takesMention(json)) return;
  const { ...asked } = json;
  for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
  json.anyOf = [asked, FROM_ENVIRONMENT];
}

const SAMPLE_MENTION = '${NAME:-some text}';

function takesMention({ type, pattern, format, enum: words, allOf = [] }: JsonSchema): boolean {
  if (type !== undefined && type !== 'string') return false;
  if (format !== undefined || words !== undefined) return false;
  if (pattern !== undefined && !new RegExp(pattern).test(SAMPLE_MENTION)) return false;
  return allOf.every((part) => takesMention(part));
}

function isBlock(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
}
