import type { CliWorld } from '../cli/cli-world.js';

/** What the sandbox holds and what the source wants of it, as sorted lines; equal when nothing was lost. */
export async function comparePlatform(
  world: CliWorld,
): Promise<{ readonly held: readonly string[]; readonly wanted: readonly string[] }> {
  const companies = world.sandbox.records('jobs', 'companies').map(({ reference, body }) => ({
    reference,
    ...(body as { name: string; about?: string }),
  }));
  const nameOf = new Map(companies.map(({ reference, name }) => [reference, name]));
  const vacancies = world.sandbox
    .records('jobs', 'vacancies')
    .map(({ body }) => body as { title: string; employer: { id: string } });
  const held = [
    ...companies.map(({ name, about }) => `${name}: ${about ?? ''}`),
    ...vacancies.map(({ title, employer }) => `${title} at ${nameOf.get(employer.id) ?? 'nobody'}`),
  ];
  const wanted = await world.sql<{ line: string }>(
    `select name || ': ' || coalesce(about, '') as line from company
     union all
     select v.title || ' at ' || c.name from vacancy v join company c on c.id = v.company_id`,
  );
  return { held: held.sort(), wanted: wanted.map(({ line }) => line).sort() };
}
