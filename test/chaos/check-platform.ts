import { isDeepStrictEqual } from 'node:util';
import type { ChaosWorld } from './chaos-world.js';

interface Vacancy extends Record<string, unknown> {
  readonly employer: { readonly id: string };
  readonly status: string;
}

/**
 * Compares what the platform holds with the source. What is expected is written here from the interface, apart from
 * the product's own maps. Gives the differences, one sentence each.
 */
export async function checkPlatform({ database, sandbox, deletes }: ChaosWorld): Promise<string[]> {
  const companies = await database.query<{ id: string; name: string; city: string; about: string | null }>(
    'select * from company',
  );
  const vacancies = await database.query<{ id: string; company_id: string; title: string; status: string }>(
    'select * from vacancy',
  );
  const expected = new Map<string, object>([
    ...companies.map(
      ({ id, name, city, about }) =>
        [
          id,
          {
            name,
            region: { type: 'city', id: city, country_code: null },
            ...(about === null ? {} : { about }),
          },
        ] as const,
    ),
    ...vacancies.map(
      ({ id, company_id, title, status }) =>
        [
          id,
          { title, status, gender: null, marital: null, min_experience: null, company: company_id },
        ] as const,
    ),
  ]);
  const references = new Map(
    sandbox.records('jobs', 'companies').map(({ id, reference }) => [reference, id]),
  );
  const held = new Map<string, object>([
    ...sandbox.records('jobs', 'companies').map(({ id, body }) => [id, body] as const),
    ...sandbox.records('jobs', 'vacancies').map(({ id, body }) => {
      // Of the employer only who it is belongs to the vacancy.
      const { employer, ...rest } = body as Vacancy;
      return [id, { ...rest, company: references.get(employer.id) }] as const;
    }),
  ]);
  const problems: string[] = [];
  for (const [id, want] of expected) {
    const has = held.get(id);
    if (!isDeepStrictEqual(has, want))
      problems.push(`${id} should be ${JSON.stringify(want)}, is ${JSON.stringify(has)}`);
  }
  for (const [id, has] of held) {
    if (expected.has(id)) continue;
    if (deletes) problems.push(`${id} is still there: ${JSON.stringify(has)}`);
    else if ((has as Vacancy).status !== 'closed')
      problems.push(`${id} is not closed: ${JSON.stringify(has)}`);
  }
  return problems;
}
