import { readFileSync } from 'node:fs';
import { documentExamples } from '../../../docs/openapi-yaml.js';
import { openApiDocument } from '../../../src/features/sandbox/openapi/document.js';
import type { ReplyLinks } from '../../../src/core/domain/reply/reply.js';
import { ENTITIES, entity } from '../../../src/core/entities/index.js';
import { readLinks } from '../../../src/core/platform/read-reply.js';

/** Parsed JSON of a file below `test/fixtures`. */
export function readFixture(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8'));
}

/** The links that `data` of the entity's Find shows. */
export function linksOf(name: string, data: unknown): ReplyLinks {
  const operation = { name: entity(name).readBack?.find ?? '', kind: 'GET' } as const;
  return readLinks({ data }, operation);
}

export type Node = Record<string, unknown>;

export const document = openApiDocument({ entities: ENTITIES, examples: documentExamples() }) as Node & {
  paths: Record<string, Node>;
  webhooks: Record<string, { post: Node }>;
  components: { schemas: Record<string, Node>; parameters: Record<string, Node> };
};

/** Every object in the document with the steps that lead to it. */
export function* nodesOf(value: unknown, path: readonly string[] = []): Generator<[readonly string[], Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Node];
  for (const [step, part] of Object.entries(value)) yield* nodesOf(part, [...path, step]);
}

export function resolve(reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, step) => (node as Node | undefined)?.[step], document);
}
