import type { Policy, Trigger } from './constraints.js';
import type { ReadOnly } from './with-read-only.js';

const COMMANDS: Readonly<Record<string, Policy['command']>> = {
  '*': 'all',
  r: 'select',
  a: 'insert',
  w: 'update',
  d: 'delete',
};

/** Triggers and policies of these tables. */
export async function readGuards(
  { run }: ReadOnly,
  tables: readonly number[],
): Promise<{
  readonly triggers: readonly (Trigger & { readonly table: number })[];
  readonly policies: readonly (Policy & { readonly table: number })[];
}> {
  const triggers = await run<{
    table: string;
    name: string;
    type: number;
    function_name: string;
    source: string;
  }>(
    `select cast(t.tgrelid as text) as table, cast(t.tgname as text) as name, t.tgtype as type,
       cast(p.proname as text) as function_name,
       p.prosrc || ' ' || replace(encode(t.tgargs, 'escape'), '\\000', ' ') as source
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where t.tgrelid = any (cast($1 as oid[])) and not t.tgisinternal and t.tgenabled <> 'D'
     order by t.tgrelid, t.tgname`,
    [tables],
  );
  const policies = await run<{
    table: string;
    name: string;
    command: string;
    roles: string[];
    expression: string | null;
  }>(
    `select cast(p.polrelid as text) as table, cast(p.polname as text) as name, cast(p.polcmd as text) as command,
       array(select cast(r.rolname as text) from pg_roles r where r.oid = any (p.polroles) order by 1) as roles,
       pg_get_expr(p.polqual, p.polrelid) as expression
     from pg_policy p where p.polrelid = any (cast($1 as oid[])) order by p.polrelid, p.polname`,
    [tables],
  );
  return {
    triggers: triggers.map(({ table, name, type, function_name, source }) => ({
      table: Number(table),
      name,
      timing: (type & 64) !== 0 ? 'instead' : (type & 2) !== 0 ? 'before' : 'after',
      events: [
        ...((type & 4) !== 0 ? (['insert'] as const) : []),
        ...((type & 16) !== 0 ? (['update'] as const) : []),
        ...((type & 8) !== 0 ? (['delete'] as const) : []),
      ],
      functionName: function_name,
      source,
    })),
    policies: policies.map(({ table, name, command, roles, expression }) => ({
      table: Number(table),
      name,
      command: COMMANDS[command] ?? 'all',
      roles,
      expression,
    })),
  };
}
