import { mentions } from '../interpolate.js';
import type { Problem } from '../problem.js';
import { fleetSchema } from './fleet-schema.js';
import { textsOf } from './texts-of.js';

/**
 * Which variables of the replicas are not a tenant's own. A tenant's file decides where a variable is sent: to its own
 * platform, say. So each file has the variables of its tenant, and those that the fleet shares with all. Pure.
 */
export interface FleetVariables {
  /** Those that fleet.yaml uses. No tenant has them. */
  readonly ofFleet: readonly string[];
  /** `fleet.sharedVariables` */
  readonly shared: readonly string[];
}

/** Of a fleet that shares nothing and whose file uses none. */
export const NOTHING_SHARED: FleetVariables = { ofFleet: [], shared: [] };

/** What the variables of a tenant begin with: `ACME_WEST_` of acme-west. A variable cannot begin with a digit. */
export function variablePrefix(tenant: string): string {
  return `${tenant.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_`.replace(/^(?=\d)/, '_');
}

/** The variables that fleet.yaml uses, each once. @param data parsed YAML, nothing filled in */
export function variablesOfFleet(data: unknown): readonly string[] {
  const names = textsOf(fleetSchema, data).flatMap(({ text }) => mentions(text).map(({ name }) => name));
  return [...new Set(names)];
}

/** What is wrong with `fleet.sharedVariables`: no list gives the fleet's own variables away. */
export function sharedProblems({ ofFleet, shared }: FleetVariables): readonly Problem[] {
  return shared.flatMap((name, index) => {
    const message = `this file uses ${name} itself, and no tenant may have such a variable; give the tenants another one`;
    return isOfFleet(name, ofFleet) ? [{ path: ['fleet', 'sharedVariables', index], message }] : [];
  });
}

/** Puts a wall before a reader of variables: it answers only for those that this tenant may use. */
export function withinWall<Answer>(
  tenant: string,
  variables: FleetVariables,
  read: (name: string) => Answer,
): (name: string) => Answer | { readonly problem: string } {
  return (name) => {
    const problem = wallProblem(tenant, name, variables);
    return problem === null ? read(name) : { problem };
  };
}

function wallProblem(tenant: string, name: string, { ofFleet, shared }: FleetVariables): string | null {
  const prefix = variablePrefix(tenant);
  if (isOfFleet(name, ofFleet))
    return `no tenant may use ${name}, because the fleet's own file does; give this tenant a variable that begins with ${prefix}`;
  if (shared.includes(name) || name.startsWith(prefix)) return null;
  return `this tenant may not use ${name}; name the variable ${prefix}…, or list ${name} in fleet.sharedVariables of the fleet's file if every tenant may have its value`;
}

/** Also where one is the `NAME_FILE` of the other. To some systems capitals and small letters are the same. */
function isOfFleet(name: string, ofFleet: readonly string[]): boolean {
  const bare = (one: string) => one.toUpperCase().replace(/_FILE$/, '');
  return ofFleet.some((own) => bare(own) === bare(name));
}
