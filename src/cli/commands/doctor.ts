import { SyncError } from '../../core/domain/errors.js';
import { groupBy } from '../../core/domain/group-by.js';
import type { Finding, Level } from '../../features/doctor/finding.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { doctorFindings } from '../compose/open-doctor.js';
import { type Colour, say, writeJson } from '../output/write.js';

export const doctorCommand: Handler = async ({ command, signal }) => {
  const { entity, json = false } = command.opts<{ entity: readonly string[]; json?: boolean }>();
  try {
    const { config, emit } = commandContext(command, { withoutCredentials: true });
    const findings = await doctorFindings(config, { entity, emit, signal });
    if (json) writeJson(doctorJson(findings));
    else printDoctor(findings);
    return findings.some(({ level }) => level === 'fail') ? 2 : 0;
  } catch (error) {
    if (json && error instanceof SyncError && error.code === 'config-invalid') {
      const { message, hint = null } = error;
      const about = { id: 'configuration', level: 'fail', entity: null, count: null, sample: [] } as const;
      writeJson(doctorJson([{ ...about, message, hint }]));
    }
    throw error;
  }
};

const COLOURS: Readonly<Record<Level, Colour>> = { pass: 'green', warn: 'yellow', fail: 'red' };
const INDENT = '      ';

function doctorJson(findings: readonly Finding[]) {
  return {
    checks: findings.map(({ id, level, entity, message: head, lines = [], hint, count, sample }) => {
      const message = lines.length === 0 ? head : `${head}: ${lines.join('; ')}`;
      return { id, level, entity, message, hint, count, sample };
    }),
  };
}

/** The findings for people: what has to be fixed first stands first. */
function printDoctor(findings: readonly Finding[]): void {
  for (const finding of findings) if (!finding.undone) printFinding(finding);
  printUndone(findings.filter(({ undone }) => undone));
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  say(`\n${count('fail')} fail, ${count('warn')} warn, ${count('pass')} pass.`);
  if (count('fail') > 0) say('Fix what fails, from the top, and call doctor again.');
}

function printFinding({ id, level, entity, message, lines: parts = [], hint, sample }: Finding): void {
  const subject = entity === null ? id : `${entity}, ${id}`;
  const lines = [
    `${level}  ${subject}: ${message}`,
    ...parts.map((line) => `${INDENT}  ${line}`),
    ...(hint === null ? [] : [`${INDENT}hint: ${hint}`]),
    ...(sample.length === 0 ? [] : [`${INDENT}keys: ${sample.join(', ')}`]),
  ];
  say(lines.join('\n'), { part: level, colour: COLOURS[level] });
}

/** One cause, such as a query that fails, keeps many checks from being done: one line for it. */
function printUndone(findings: readonly Finding[]): void {
  const groups = groupBy(findings, ({ entity, message }) => JSON.stringify([entity, message]));
  for (const group of groups.values()) {
    const [{ entity, message, level } = { entity: null, message: '', level: 'warn' as const }] = group;
    const ids = group.map(({ id }) => id).join(', ');
    const text = `${level}  ${entity === null ? '' : `${entity}, `}${ids}: ${message}`;
    say(text, { part: level, colour: COLOURS[level] });
  }
}
