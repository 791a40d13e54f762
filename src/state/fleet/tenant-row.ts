import type { TenantDefinition, TenantRun, TenantSummary } from '../../ports/tenants.js';

/** SQL: what `toSummary` needs. */
export const SUMMARY = `name, ledger_schema as "schema", cast(period_ms as double precision) as "periodMs",
  lane_setting as "laneSetting", lane, enabled, paused, removed_at is not null as removed, revision,
  revision <> begun_revision as "isChanged",
  added_at as "addedAt", last_run as "lastRun", last_success_at as "lastSuccessAt",
  running_replica as replica, running_since as since`;

/** SQL: what `toTenant` needs beside it. */
export const DEFINITION = `configuration, files, ledger_here as "ledgerHere"`;

type StoredRun = Omit<TenantRun, 'startedAt' | 'finishedAt'> & Record<'startedAt' | 'finishedAt', string>;

export type SummaryRow = Omit<TenantSummary, 'lastRun' | 'running'> & {
  readonly lastRun: StoredRun | null;
  readonly replica: string | null;
  readonly since: Date;
};

export type TenantRow = SummaryRow & Pick<TenantDefinition, 'configuration' | 'files' | 'ledgerHere'>;

export function toSummary({ lastRun, replica, since, ...summary }: SummaryRow): TenantSummary {
  return {
    ...summary,
    lastRun: lastRun && {
      ...lastRun,
      startedAt: new Date(lastRun.startedAt),
      finishedAt: new Date(lastRun.finishedAt),
    },
    running: replica === null ? null : { replica, since },
  };
}

export function toTenant({ configuration, files, ledgerHere, ...row }: TenantRow): {
  readonly summary: TenantSummary;
  readonly definition: TenantDefinition;
} {
  const { name, schema, periodMs, laneSetting: lane, enabled } = row;
  return {
    summary: toSummary(row),
    definition: { name, configuration, files, periodMs, lane, enabled, schema, ledgerHere },
  };
}
