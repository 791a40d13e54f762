import type { Command } from 'commander';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { requestTarget } from '../../src/cli/arguments.js';
import { buildProgram } from '../../src/cli/create-program.js';
import { anchorsOf } from '../docs/read-pages.js';
import { runCli } from './run-cli.js';

describe('help', async () => {
  /** What `--help` prints, with what is added after it. */
  function helpOf(command: Command): string {
    let text = '';
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 });
    command.outputHelp();
    return text;
  }

  function below(command: Command): Command[] {
    return command.commands.flatMap((child) => [child, ...below(child)]);
  }

  test.each(below(await buildProgram()).map((command) => [pathOf(command), command] as const))(
    '%s --help has an example that begins as it is called, and takes --quiet',
    (path, command) => {
      const help = helpOf(command);
      expect(help).toMatch(/^Examples?: /m);
      const example = command.commands.length > 0 ? path.split(' ')[0] : path;
      expect(help).toContain(`placement-sync ${example}`);
      expect(help).toContain('--quiet');
    },
  );

  function pathOf(command: Command): string {
    const above = command.parent?.parent ? `${pathOf(command.parent)} ` : '';
    return `${above}${command.name()}`;
  }

  /** Folders whose tests run the program. */
  const RUNNERS = ['test/cli', 'test/features/fleet/processes'];

  /**
   * The words that a call or a list begins with, as in `runCli(['config', 'check'])`, `cli('plan')` and
   * `world.fleet('apply')`: with the name of the function, and without it.
   */
  function commandLines(path: string, source: string): string[] {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const list = ts.isCallExpression(node)
        ? node.arguments
        : ts.isArrayLiteralExpression(node)
          ? node.elements
          : [];
      const start = list.findIndex((each) => ts.isStringLiteralLike(each));
      const words = list
        .slice(Math.max(start, 0))
        .map((each) => (ts.isStringLiteralLike(each) ? each.text : ''));
      if (start >= 0) {
        found.push(`${words.join(' ')} `);
        if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
          found.push(`${node.expression.name.text} ${words.join(' ')} `);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
    return found;
  }

  /** Commands that no line begins with; of one that has commands of its own, these. */
  function unrun(commands: readonly Command[], lines: readonly string[]): string[] {
    return commands
      .filter(({ commands: own }) => own.length === 0)
      .map(pathOf)
      .filter((path) => !lines.some((line) => line.startsWith(`${path} `)));
  }

  test('each command is run by a test', async () => {
    const files = RUNNERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    );
    const lines = files.flatMap((path) => commandLines(path, readFileSync(path, 'utf8')));
    const commands = below(await buildProgram());
    expect(
      unrun(commands, lines).map(
        (path) => `no test runs ${path}: add one to test/cli, beside the commands like it`,
      ),
    ).toEqual([]);
    expect(
      unrun(
        commands,
        lines.filter((line) => !line.startsWith('adopt ')),
      ),
    ).toEqual(['adopt']);
  });
});

describe('the runbook in the terminal', () => {
  test('every section is printed, without links that only a page follows', async () => {
    const listed = await runCli(['help', 'runbook']);
    const anchors = [...anchorsOf('docs/operate.md')].filter((anchor) => anchor !== 'operate');
    for (const anchor of anchors) {
      expect(listed.stdout).toMatch(new RegExp(`^  ${anchor}(: |$)`, 'm'));
      const { exitCode, stdout } = await runCli(['help', 'runbook', anchor]);
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^#{2,3} .+\n\n\S/)]);
      expect(stdout).not.toMatch(/\]\(|<!--/);
    }
    expect(anchors.length).toBeGreaterThan(40);
  });

  test('a heading is a name, too; it ends where the next one begins', async () => {
    const { stdout } = await runCli(['help', 'runbook', 'PlacementSyncRejectedGrowing']);
    expect(stdout).toMatch(/^### PlacementSyncRejectedGrowing\n/);
    expect(stdout).toContain('rejected (help runbook rejected)');
    expect(stdout).not.toContain('### PlacementSyncInvalidGrowing');
  });

  test('other pages are topics, too; a command comes before a page of its name', async () => {
    expect((await runCli(['help', 'card'])).stdout).toContain('## Exit codes');
    expect((await runCli(['help', 'runbook', 'other-source'])).stdout).toMatch(/^### other-source\n/);
    expect((await runCli(['help', 'runbook', 'error-codes'])).stdout).toContain('`query-failed` (1)');
    expect((await runCli(['help', 'runbook', 'null-key'])).stdout).toMatch(/^- `null-key` \(1\): .*\n$/);
    expect((await runCli(['help', 'queries'])).stdout).toContain('  lookups: Lookups');
    expect((await runCli(['help', 'queries', 'lookups'])).stdout).toMatch(/^## Lookups\n/);
    expect((await runCli(['help', 'start.md', '3-draft'])).stdout).toMatch(/^## 3\. Draft\n/);
    expect((await runCli(['help', 'start'])).stdout).toMatch(/^Usage: placement-sync start /);
  });

  test('a wrong name is refused with the one that was meant', async () => {
    const section = await runCli(['help', 'runbook', 'guardz']);
    expect([section.exitCode, section.stderr]).toEqual([2, expect.stringContaining('Did you mean guards?')]);
    const command = await runCli(['help', 'verfy']);
    expect([command.exitCode, command.stderr]).toEqual([2, expect.stringContaining('Did you mean verify?')]);
  });

  test('help names all commands, and help of one is its own', async () => {
    expect((await runCli(['help'])).stdout).toMatch(/Commands:.*verify.*help/s);
    expect((await runCli(['help', 'verify'])).stdout).toMatch(/^Usage: placement-sync verify /);
  });
});

describe('request target', () => {
  test.each([
    ['https://a.example', '/api/v1/x', '/api/v1/x'],
    ['https://a.example/', '/api/v1/x', '/api/v1/x'],
    ['https://a.example/gateway/', '/api/v1/x', '/gateway/api/v1/x'],
    ['https://a.example', '/api/v1/x?page=2#top', '/api/v1/x'],
    ['https://a.example', '/api/v1/a b', '/api/v1/a%20b'],
    ['https://a.example', '//elsewhere/x', '//elsewhere/x'],
  ])('of %s and %s is %s', (baseUrl, path, target) => {
    expect(requestTarget(baseUrl, path)).toBe(target);
  });

  test.each(['api/v1/x', 'https://a.example/api/v1/x', ''])('refuses %j, which is no path', (path) => {
    expect(() => requestTarget('https://a.example', path)).toThrow('The path must begin with "/".');
  });
});
