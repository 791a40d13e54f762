import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { openApiDocument, type OpenApiOptions } from '../src/features/sandbox/openapi/document.js';
import { exampleId } from '../src/features/sandbox/openapi/components.js';
import { ENTITIES } from '../src/core/entities/index.js';

/** What the document shows: the fixtures that the tests have written by hand from the interface. */
export function documentExamples(): NonNullable<OpenApiOptions['examples']> {
  const numbers = new Map<string, number>();
  const fixture = (path: string): unknown =>
    JSON.parse(
      withMadeUpIds(readFileSync(new URL(`../test/fixtures/${path}.json`, import.meta.url), 'utf8'), numbers),
    );
  const bodies = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, fixture(`bodies/${name}`)]));
  const replies = (name: string) => ({ [name]: fixture(`replies/${name}`) });
  return {
    operations: {
      putCompany: { bodies: bodies('company-full', 'company-minimal'), replies: replies('put-company') },
      findCompany: { replies: replies('find-company') },
      putVacancy: { bodies: bodies('vacancy-full', 'vacancy-nulls'), replies: replies('put-vacancy') },
      findVacancy: { replies: replies('find-vacancy') },
      updateApplicationStatus: {
        bodies: bodies('application-status'),
        replies: replies('update-application-status'),
      },
      putInstitution: { bodies: bodies('institution'), replies: replies('put-institution') },
      findInstitution: { replies: replies('find-institution') },
      putTraining: { bodies: bodies('training'), replies: replies('put-training') },
      findTraining: { replies: replies('find-training') },
    },
    webhooks: { 'applied-at': fixture('webhooks/applied-at'), flat: fixture('webhooks/flat') },
  };
}

/** The same id everywhere for the same id of the fixtures, and none that could be of the platform's catalogue. */
function withMadeUpIds(json: string, numbers: Map<string, number>): string {
  return json.replaceAll(/"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/gi, (_match, id: string) => {
    const known = numbers.get(id.toLowerCase()) ?? numbers.size + 1;
    numbers.set(id.toLowerCase(), known);
    return `"${exampleId(known)}"`;
  });
}

/** docs/openapi.yaml. */
export function openApiYaml(): string {
  const document = openApiDocument({ entities: ENTITIES, examples: documentExamples() });
  const head = '# Generated from src/core/contract by `npm run docs`.\n';
  // Quoted so that readers of YAML 1.1 (PyYAML) do not take text such as 2026-12-31 for a date.
  return head + stringify(document, { aliasDuplicateObjects: false, lineWidth: 110, compat: 'yaml-1.1' });
}
