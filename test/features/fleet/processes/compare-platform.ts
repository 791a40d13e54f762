import { isDeepStrictEqual } from 'node:util';
import type { FleetWorld } from './fleet-world.js';

interface Body {
  readonly name?: string;
  readonly about?: string;
  readonly title?: string;
  readonly status?: string;
  readonly employer?: { readonly id: string };
}

/**
 * What the platform holds differently from the tenants’ sources, one sentence each, by tenant. What is expected is written
 * in `fleet-sources.ts`, apart from the product’s own maps. A tenant that is not there has no difference.
 */
export async function differences(
  { sandbox, sources }: Pick<FleetWorld, 'sandbox' | 'sources'>,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const companies = sandbox.records('jobs', 'companies');
  const references = new Map(companies.map(({ id, reference }) => [reference, id]));
  const held = new Map<string, object>([
    ...companies.map(({ id, body }) => {
      const { name, about } = body as Body;
      return [id, { name, ...(about === undefined ? {} : { about }) }] as const;
    }),
    ...sandbox.records('jobs', 'vacancies').map(({ id, body }) => {
      const { title, status, employer } = body as Body;
      return [id, { title, company: references.get(employer?.id ?? ''), status }] as const;
    }),
  ]);
  const found = new Map<string, string[]>();
  for (const tenant of tenants) {
    const problems = [...(await sources.expected(tenant))].flatMap(([id, want]) => {
      const has = heldAs(want, held.get(id));
      // A vacancy that was gone before it was ever sent is not there, either.
      const isGone = has === undefined && 'status' in want && want.status === 'closed';
      return isGone || isDeepStrictEqual(has, want)
        ? []
        : [`${tenant} ${id} should be ${JSON.stringify(want)}, is ${JSON.stringify(has)}`];
    });
    if (problems.length > 0) found.set(tenant, problems);
  }
  return found;
}

/** Without the title where none is expected. */
function heldAs(want: object, has: object | undefined): object | undefined {
  if (has === undefined || !('title' in has) || 'title' in want) return has;
  const { title: _, ...rest } = has;
  return rest;
}
