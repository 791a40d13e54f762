import { ENTITIES } from '../src/core/entities/index.js';
import { item } from '../src/features/init/write/contract-text.js';
import { PROBE_CHECKS } from '../src/features/probe/checks.js';
import type { Command, Option } from 'commander';
import { ERROR_CODES, type ErrorCode } from '../src/core/domain/errors.js';
import { EXIT_CODES } from '../src/cli/exit-codes.js';
import { ERROR_TEXTS } from './error-texts.js';
import { GUARD_TEXTS } from '../src/features/troubles/guard-texts.js';
import { buildProgram } from '../src/cli/create-program.js';
import {
  FLEET_METRICS,
  METRIC_PREFIX,
  type MetricDescription,
  METRICS,
} from '../src/features/metrics/metric-list.js';
import { table } from './table.js';

/** Every metric, and whether `run --metrics-file` writes it. */
export function metricsList(): string {
  return metricItems(METRICS, ({ inFile }) => inFile);
}

/** What only a replica of a fleet has. */
export function fleetMetricsList(): string {
  return metricItems(FLEET_METRICS, () => false);
}

function metricItems(
  metrics: Readonly<Record<string, MetricDescription>>,
  inFile: (metric: MetricDescription) => boolean,
): string {
  return Object.entries(metrics)
    .map(([name, metric]) =>
      item(metricName(name, metric), metric.help, [metric.type, ...(inFile(metric) ? ['in the file'] : [])]),
    )
    .join('\n');
}

/** As a query names it: `placement_sync_held{entity}`. */
function metricName(name: string, { labels }: Pick<MetricDescription, 'labels'>): string {
  return `${METRIC_PREFIX}${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}`;
}

/** The fields of each body that a read-back compares, by rule. */
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

/** Every error code with its exit code, meaning and hint, in the order of the code that knows them. */
export function errorCodesList(): string {
  return (Object.keys(ERROR_CODES) as ErrorCode[])
    .map((code) => {
      const { meaning, hint } = ERROR_TEXTS[code];
      return item(code, `${meaning} _${hint}_`, [String(ERROR_CODES[code])]);
    })
    .join('\n');
}

/** Every guard with the setting that limits it, when it stops, and the hint. */
export function guardsList(): string {
  return Object.entries(GUARD_TEXTS)
    .map(([guard, { setting, stops, hint }]) =>
      item(guard, `${stops} _${hint}_`, setting === null ? [] : [`\`${setting}\``]),
    )
    .join('\n');
}

/** Options that many commands have, with the meaning that the page gives once. */
const COMMON_OPTIONS: Readonly<Record<string, RegExp>> = {
  '--json': /\bJSON\b/,
  '-e, --entity <name>': /^only this entity; may be repeated$/,
  '-y, --yes': /^do not ask$/,
  '--reason <text>': /^why you do it/,
};

/** Every command with its options; those that many have are only named. */
export async function commandsReference(): Promise<string> {
  const sections = (await leafCommands()).map(({ command, name }) => {
    const options = command.options.filter(({ long }) => long !== '--config' && long !== '--quiet');
    const isCommon = ({ flags, description }: Option) => COMMON_OPTIONS[flags]?.test(description) === true;
    const code = ({ flags }: Option) => `\`${flags}\``;
    const also = options.filter(isCommon).map(code);
    return [
      `## ${name}`,
      `${sentence(command.description())}${also.length === 0 ? '' : ` Takes ${also.join(', ')}.`}`,
      options
        .filter((option) => !isCommon(option))
        .map((option) =>
          option.description === '' ? `- ${code(option)}` : `- ${code(option)}: ${option.description}`,
        )
        .join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
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

/** Every assumption that `probe` tries; it names what changes each itself. */
export function probeChecksList(): string {
  return PROBE_CHECKS.map(({ id, assumption }) => `- \`${id}\`: ${assumption}`).join('\n');
}
