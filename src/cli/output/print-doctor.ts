import type { Finding, Level } from '../../onboarding/doctor/finding.js';
import type { Colour } from './colours.js';
import { say } from './write.js';

const COLOURS: Readonly<Record<Level, Colour>> = { pass: 'green', warn: 'yellow', fail: 'red' };
const INDENT = '      ';

/** 2 when anything fails, else 0. Pure. */
export function doctorExitCode(findings: readonly Finding[]): number {
  return findings.some(({ level }) => level === 'fail') ? 2 : 0;
}

/** The findings for programs: each with all of its fields. Pure. */
export function doctorJson(findings: readonly Finding[]): {
  readonly checks: readonly Omit<Finding, 'undone' | 'lines'>[];
} {
  return {
    checks: findings.map(({ id, level, entity, message, lines = [], hint, count, sample }) => ({
      ...{ id, level, entity },
      message: lines.length === 0 ? message : `${message}: ${lines.join('; ')}`,
      ...{ hint, count, sample },
    })),
  };
}

/** The findings for people: what has to be fixed first stands first. */
export function printDoctor(findings: readonly Finding[]): void {
  for (const finding of findings) if (!finding.undone) printFinding(finding);
  printUndone(findings.filter(({ undone }) => undone));
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  say(`\n${count('fail')} fail, ${count('warn')} warn, ${count('pass')} pass.`);
  if (count('fail') > 0)
    say('Fix what fails, from the top, and call doctor again. docs/doctor.md explains each check.');
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
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.entity, finding.message]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  for (const group of groups.values()) {
    const [{ entity, message, level } = { entity: null, message: '', level: 'warn' as const }] = group;
    const ids = group.map(({ id }) => id).join(', ');
    const text = `${level}  ${entity === null ? '' : `${entity}, `}${ids}: ${message}`;
    say(text, { part: level, colour: COLOURS[level] });
  }
}
