import type { Command } from 'commander';
import { APPLICATION_PARAMETERS } from '../src/domain/inbox/application-parameters.js';
import { ERROR_CODES, ERROR_TEXTS, type ErrorCode, EXIT_CODES } from '../src/domain/errors.js';
import { GUARD_TEXTS } from '../src/domain/guard.js';
import { ENTITIES } from '../src/entities/index.js';
import { buildProgram } from '../src/cli/create-program.js';
import {
  FLEET_METRICS,
  METRIC_PREFIX,
  type MetricDescription,
  METRICS,
} from '../src/telemetry/metric-list.js';
import { table } from './table.js';

/** The row contract of every entity. */
export function columnsTables(): string {
  return ENTITIES.map(({ name, columns, assumedRequired, parent }) => {
    const rows = columns.map(({ name: column, required, field, lookup, description }) => [
      `\`${column}\``,
      required ? 'yes' : assumedRequired.includes(column) ? 'assumed' : '',
      column === 'key' || column === 'row_version' || column === parent?.column
        ? ''
        : `\`${field ?? column}\``,
      lookup ? 'yes' : '',
      description,
    ]);
    return `## ${name}\n\n${table(['column', 'required', 'field of the body', 'lookup', 'meaning'], rows)}`;
  }).join('\n\n');
}

/** Every parameter of `webhook.sql`; docs/webhook.md says above what the columns of these names are. */
export function parametersList(): string {
  return Object.keys(APPLICATION_PARAMETERS)
    .map((name) => `\`:${name}\``)
    .join(', ');
}

/** Every metric, and whether `run --metrics-file` writes it. */
export function metricsTable(): string {
  const metrics: [string, MetricDescription][] = Object.entries(METRICS);
  return table(
    ['metric', 'type', 'labels', 'in the file', 'meaning'],
    metrics.map(([name, { type, labels, help, inFile }]) => [
      ...metricCells(name, { type, labels }),
      inFile ? 'yes' : '',
      help,
    ]),
  );
}

/** What only a replica of a fleet has. */
export function fleetMetricsTable(): string {
  const metrics: [string, MetricDescription][] = Object.entries(FLEET_METRICS);
  return table(
    ['metric', 'type', 'labels', 'meaning'],
    metrics.map(([name, { type, labels, help }]) => [...metricCells(name, { type, labels }), help]),
  );
}

function metricCells(name: string, { type, labels }: Pick<MetricDescription, 'type' | 'labels'>): string[] {
  return [`\`${METRIC_PREFIX}${name}\``, type, labels.map((label) => `\`${label}\``).join(', ')];
}

/** The fields of each body that a read-back compares, by rule; docs/coverage.md has the field of the Find beside each. */
export function comparedFields(): string {
  return ENTITIES.flatMap(({ name, readBack }) => {
    if (readBack === null) return [];
    const byRule = new Map<string, string[]>();
    for (const { sent, read, rule } of readBack.fields) {
      const shown = read === null ? `\`${sent}\` (not shown)` : `\`${sent}\``;
      byRule.set(rule, [...(byRule.get(rule) ?? []), shown]);
    }
    const rules = [...byRule].map(([rule, fields]) => `_${rule}_ ${fields.join(', ')}`);
    return [`- **${name}**: ${rules.join(' · ')}`];
  }).join('\n');
}

export function exitCodesTable(): string {
  return table(
    ['code', 'meaning', 'what to do'],
    EXIT_CODES.map(({ code, meaning, hint }) => [String(code), meaning, hint]),
  );
}

/** Every error code, in the order of the code that knows them. */
export function errorCodesTable(): string {
  return table(
    ['code', 'exit', 'meaning', 'what to do'],
    (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => {
      const { meaning, hint } = ERROR_TEXTS[code];
      return [`\`${code}\``, String(ERROR_CODES[code]), meaning, hint];
    }),
  );
}

/** Every guard, and the setting that limits it. */
export function guardsTable(): string {
  return table(
    ['guard', 'setting', 'stops when', 'what to do'],
    Object.entries(GUARD_TEXTS).map(([guard, { setting, stops, hint }]) => [
      `\`${guard}\``,
      setting === null ? 'none' : `\`${setting}\``,
      stops,
      hint,
    ]),
  );
}

/** Every command with its options. */
export async function commandsReference(): Promise<string> {
  const sections = (await leafCommands()).map(({ command, name }) => {
    const options = command.options.filter(({ long }) => long !== '--config' && long !== '--quiet');
    const rows = options.map(({ flags, description }) => [
      `\`${flags.replaceAll('|', '\\|')}\``,
      description,
    ]);
    const listed = rows.length === 0 ? '' : `\n\n${table(['option', 'meaning'], rows)}`;
    return `## ${name}\n\n${sentence(command.description())}${listed}`;
  });
  return sections.join('\n\n');
}

interface NamedCommand {
  readonly command: Command;
  /** `sandbox send-application`, `explain <entity> <key>`. */
  readonly name: string;
}

/** In the order of the help. One that has commands of its own is there only if it has options of its own. */
async function leafCommands(): Promise<NamedCommand[]> {
  const found = (command: Command, path: string): NamedCommand[] => {
    const given = command.registeredArguments.map((argument) => `<${argument.name()}>`);
    const own = { command, name: [path, ...given].join(' ') };
    const isLeaf = command.commands.length === 0 || command.options.length > 2;
    return [
      ...(isLeaf ? [own] : []),
      ...command.commands.flatMap((child) => found(child, `${path} ${child.name()}`)),
    ];
  };
  return (await buildProgram()).commands.flatMap((command) => found(command, command.name()));
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
