import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closest } from '../../domain/closest.js';
import { usageError } from '../../domain/errors.js';
import type { Handler } from '../common-options.js';
import { PACKAGE_ROOT } from '../compose/package-info.js';
import { writeOut } from '../output/write.js';

/*
 * Help without a network: how a command is called, and the runbook, which comes with the program. Sections have the names
 * that anchors have on the web; a heading is understood, too.
 */

export const helpCommand: Handler = ({ command, arguments: [topic, section] }) => {
  const program = command.parent ?? command;
  if (topic === 'runbook') writeOut(runbookText(section));
  else if (topic === undefined) program.outputHelp();
  else commandNamed(program.commands, topic).outputHelp();
  return 0;
};

function commandNamed<Named extends { name(): string }>(commands: readonly Named[], name: string): Named {
  const found = commands.find((one) => one.name() === name);
  if (found !== undefined) return found;
  const near = closest(
    name,
    commands.map((one) => one.name()),
  );
  throw usageError(`There is no command ${name}.`, near === null ? undefined : `Did you mean ${near}?`);
}

/** A heading of the runbook, with its text up to the next one that is not below it. */
interface Section {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

/** The list of all sections, or one of them. Errors: SyncError `usage`. */
function runbookText(name: string | undefined): string {
  const sections = runbookSections(readFileSync(join(PACKAGE_ROOT, 'docs', 'runbook.md'), 'utf8'));
  if (name === undefined) {
    const lines = sections.map(
      ({ anchor, heading }) => `  ${anchor}${heading === anchor ? '' : `: ${heading}`}`,
    );
    return `Sections of the runbook (placement-sync help runbook SECTION):\n${lines.join('\n')}`;
  }
  const wanted = anchorOf(name);
  const found = sections.find(({ anchor }) => anchor === wanted);
  if (found !== undefined) return found.text;
  const near = closest(
    wanted,
    sections.map(({ anchor }) => anchor),
  );
  throw usageError(
    `The runbook has no section ${name}.`,
    `${near === null ? '' : `Did you mean ${near}? `}placement-sync help runbook lists all.`,
  );
}

function runbookSections(page: string): readonly Section[] {
  const headings = [...page.matchAll(/^(#{2,3}) +(.+?) *$/gm)].filter(({ index }) => !inCode(page, index));
  return headings.map(({ 1: signs = '', 2: heading = '', index }, at) => {
    const end = headings.slice(at + 1).find(({ 1: next = '' }) => next.length <= signs.length);
    return { anchor: anchorOf(heading), heading, text: readable(page.slice(index, end?.index)) };
  });
}

/** Whether a place is within a fenced block, where a line with # is a comment. */
function inCode(page: string, at: number): boolean {
  return (page.slice(0, at).match(/^ *```/gm)?.length ?? 0) % 2 === 1;
}

/** As GitHub makes it of a heading; none of ours comes twice. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** For a terminal: links name the section to ask for, and marks of the generator are left out. */
function readable(text: string): string {
  return text
    .replace(/^<!--.*-->\n+/gm, '')
    .replace(/\[([^\]]+)\]\(#([^)]+)\)/g, '$1 (help runbook $2)')
    .replace(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, '$1 (docs/$2)')
    .trim();
}
