import { describe, expect, it } from 'vitest';
import { load, problemsOf, SMALL, refusalOf } from './config-folder.js';

const TENANT = `${SMALL}tenant: { period: 30m }\n`;
const CAUSE =
  'is required here, because the file has the block "tenant" and this command is not one of the fleet';
const URL_IS_MISSING = `state.url: ${CAUSE}: without it the fleet has the ledger in its own database and not in the source; give the address of that database`;
const SCHEMA_IS_MISSING = `state.schema: ${CAUSE}: without it the fleet derives another name; give the one that fleet list shows`;

const problems = (yaml: string, env = {}) =>
  problemsOf(() => load(yaml, env)).map((line) => line.replace(/^config\.yaml:\d+: /, ''));

describe('the file of a tenant outside of a fleet', () => {
  it('names its ledger, because the fleet has it elsewhere than the defaults say', () => {
    expect(refusalOf(() => load(TENANT))).toMatchObject({ code: 'config-invalid', scope: 'usage' });
    expect(problems(TENANT)).toEqual([URL_IS_MISSING, SCHEMA_IS_MISSING]);
    expect(problems(`${TENANT}state:\n`)).toEqual([URL_IS_MISSING, SCHEMA_IS_MISSING]);
    expect(problems(`${TENANT}state: { schema: tenant_acme }\n`)).toEqual([URL_IS_MISSING]);
    expect(problems(`${TENANT}state: { url: 'postgres://db.example/fleet' }\n`)).toEqual([SCHEMA_IS_MISSING]);
  });

  it('is recognised by an empty block, too, and does not name its ledger by an empty variable', () => {
    expect(problems(`${SMALL}tenant: {}\n`)).toEqual([URL_IS_MISSING, SCHEMA_IS_MISSING]);
    const state = 'state: { url: "${STATE}", schema: tenant_acme }';
    expect(problems(`${TENANT}${state}\n`, { STATE: '' })).toEqual([URL_IS_MISSING]);
  });

  it('is a configuration as any other once it does', () => {
    const state = 'state: { url: "${STATE}", schema: tenant_acme }';
    const { settings } = load(`${TENANT}${state}\n`, { STATE: 'postgres://db.example/fleet' });
    expect(settings.state).toMatchObject({ url: 'postgres://db.example/fleet', schema: 'tenant_acme' });
    expect(load(SMALL).settings.state.schema).toBe('placement_sync');
  });
});
