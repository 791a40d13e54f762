import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { openApiDocument, type OpenApiOptions } from '../src/contract/openapi/openapi-document.js';
import { ENTITIES } from '../src/entities/index.js';

/** What the document shows: the fixtures that the tests have written by hand from the interface. */
export function documentExamples(): NonNullable<OpenApiOptions['examples']> {
  const fixture = (path: string): unknown =>
    JSON.parse(readFileSync(new URL(`../test/fixtures/${path}.json`, import.meta.url), 'utf8'));
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

/** docs/openapi.yaml. */
export function openApiYaml(): string {
  const document = openApiDocument({ entities: ENTITIES, examples: documentExamples() });
  const head = '# Generated from src/contract by `npm run docs`.\n';
  // Quoted so that readers of YAML 1.1 (PyYAML) do not take text such as 2026-12-31 for a date.
  return head + stringify(document, { aliasDuplicateObjects: false, lineWidth: 110, compat: 'yaml-1.1' });
}
