import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bashScript, commandShapes, fishScript, zshScript } from '../../src/cli/completion/scripts.js';
import { buildProgram } from '../../src/cli/create-program.js';
import { createCliWorld } from './cli-world.js';
import { runCli } from './run-cli.js';
import { temporaryFolder } from '../temporary-folder.js';

describe('completion', async () => {
  const ENTITIES = ['companies', 'vacancies', 'institutions', 'trainings', 'application-statuses'];
  const SHAPES = commandShapes(await buildProgram());
  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

  /** What bash offers for a line, with the cursor at its end. */
  function bash(line: string, cwd = tmpdir()): string[] {
    // As bash divides it: at blanks, and at the equals sign.
    const words = line.split(/ +/).flatMap((word) => word.split(/(=)/).filter((part) => part !== ''));
    if (line.endsWith(' ')) words.push('');
    const program = `${bashScript(SHAPES)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_placement_sync; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const offered = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8', cwd });
    return offered.split('\n').filter((word) => word !== '');
  }

  test('bash completes commands, options and entity names', () => {
    expect(bash('placement-sync re')).toEqual(['resync', 'records', 'report', 'retry']);
    expect(bash('placement-sync ')).toEqual(
      expect.arrayContaining(['run', 'status', 'config', 'sandbox', 'completion', 'help']),
    );
    expect(bash('placement-sync config ')).toEqual(expect.arrayContaining(['check', 'print']));
    expect(bash('placement-sync run --met')).toEqual(['--metrics-file']);
    expect(bash('placement-sync run --entity ')).toEqual(expect.arrayContaining(ENTITIES));
    expect(bash('placement-sync run -e comp')).toEqual(['companies']);
    expect(bash('placement-sync run --entity=vac')).toEqual(['vacancies']);
    expect(bash('placement-sync run --entity=')).toEqual(expect.arrayContaining(ENTITIES));
    expect(bash('placement-sync explain t')).toEqual(['trainings']);
    expect(bash('placement-sync explain trainings t'), 'a key is anything').toEqual([]);
    expect(bash('placement-sync retry --status ')).toEqual(['rejected', 'deferred']);
    expect(bash('placement-sync sign P')).toEqual(['PUT', 'POST', 'PATCH']);
    expect(bash('placement-sync completion ')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('bash knows where it is behind options with values, and options of commands below commands', () => {
    expect(bash('placement-sync --config run st')).toEqual(expect.arrayContaining(['start', 'status']));
    expect(bash('placement-sync -c my.yaml config pri')).toEqual(['print']);
    expect(bash('placement-sync run --entity status --js')).toEqual(['--json']);
    expect(bash('placement-sync sandbox send-application --layout ')).toEqual(
      expect.arrayContaining(['applied-at', 'flat']),
    );
  });

  test('bash runs nothing of what is typed, nor of the names of files', () => {
    const folder = temporaryFolder();
    const names = ['$(touch run)', '`touch run`', 'a;touch run', 'x\ntouch run', '-rf', '*'];
    for (const name of names) writeFileSync(join(folder, name), '');
    for (const word of ['$(touch${IFS}run)', '`touch${IFS}run`', ';touch${IFS}run;', '*', '['])
      for (const before of ['', 'run --entity ', 'explain companies ', `${word} `, `run --entity=${word} `])
        expect(bash(`placement-sync ${before}${word}`, folder)).toEqual([]);
    expect(bash('placement-sync run --metrics-file $(touch${IFS}', folder)).toEqual([]);
    bash('placement-sync run --metrics-file ', folder);
    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });

  test('every command and option of the program is in every script', () => {
    expect(SHAPES.length).toBeGreaterThan(18);
    for (const { path, options } of SHAPES) {
      for (const [shell, script] of Object.entries({
        bash: bashScript(SHAPES),
        zsh: zshScript(SHAPES),
        fish: fishScript(SHAPES),
      })) {
        expect(script, `${shell} ${path}`).toContain(path);
        for (const { flags } of options)
          for (const flag of flags)
            expect(script, `${shell} ${path} ${flag}`).toContain(
              shell === 'fish' ? flag.replace(/^-+/, '') : flag,
            );
      }
    }
  });

  test('the command prints the script; another shell is refused with those there are', async () => {
    const { exitCode, stdout, stderr } = await runCli(['completion', 'bash']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(bashScript(SHAPES));
    const other = await runCli(['completion', 'powershell']);
    expect(other).toMatchObject({ exitCode: 2, stdout: '' });
    expect(other.stderr).toContain('bash, zsh, fish');
  });

  test.runIf(has('fish'))('fish completes the same', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'script.fish');
    writeFileSync(file, fishScript(SHAPES));
    const offered = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder },
      })
        .split('\n')
        .map((each) => each.split('\t')[0]);
    expect(offered('placement-sync re')).toEqual(expect.arrayContaining(['resync', 'records', 'retry']));
    expect(offered('placement-sync run --met')).toContain('--metrics-file');
    expect(offered('placement-sync run --entity ')).toEqual(expect.arrayContaining(ENTITIES));
    expect(offered('placement-sync explain t')).toContain('trainings');
    expect(offered('placement-sync explain trainings t')).not.toContain('trainings');
    expect(offered('placement-sync -c my.yaml config ')).toContain('print');
  });

  test.runIf(has('zsh'))('zsh takes the script', () => {
    expect(spawnSync('zsh', ['-n'], { input: zshScript(SHAPES), encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});

describe('arguments', () => {
  const PATH = '/api/v1/employers/6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11/company';

  test('sign refuses what is no request, and signs the path as the worker does', async () => {
    const world = await createCliWorld();
    world.configure('baseUrl: ${BASE_URL}', 'baseUrl: ${BASE_URL}/gateway');
    for (const args of [
      ['FETCH', PATH],
      ['GET', PATH.slice(1)],
      ['GET', PATH, '--timestamp', '2022-09-22 01:51'],
      ['GET', PATH, '--timestamp', '2022-13-22T01:51:00Z'],
      ['GET', PATH, '--request-id', ''],
    ]) {
      expect(await world.cli('sign', ...args), args.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
    }
    const options = ['--request-id', 'r1', '--timestamp', '2022-09-22T01:51:00Z'];
    const signed = await world.cli('sign', 'get', `${PATH}?page=2`, ...options);
    expect(signed.exitCode).toBe(0);
    expect(signed.stdout).toContain(`Request: GET /gateway${PATH}\n`);
    expect(signed.stdout).toContain(`Request-Target:/gateway${PATH}\n`);
  });

  test('help offers only what a command heeds', async () => {
    const demo = (await runCli(['demo', '--help'])).stdout;
    expect(demo).not.toContain('--config');
    expect(demo).toContain('--quiet');
    expect((await runCli(['status', '--help'])).stdout).toContain('--config');
    expect((await runCli(['resync', '--help'])).stdout).not.toContain('[]');
  });

  test('the sandbox says how to be reached, and which ports there are', async () => {
    const { exitCode, stderr } = await runCli(['sandbox', '--port', '99999']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Port 99999 does not exist; 0 to 65535.');
  });

  test('the summary of a run that was not let in names the likely cause', async () => {
    const world = await createCliWorld();
    await world.sql(`insert into company (id, name) values ('c1', 'One')`);
    world.env.CLIENT_SECRET = 'wrong';
    const { entities } = await world.run();
    expect(entities.companies?.error?.message).toMatch(/^HTTP 401.*\. Check client id and secret/);
  });

  test('config schema prints what ships beside the example, and needs no configuration', async () => {
    const { exitCode, stdout } = await runCli(['config', 'schema']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(
      JSON.parse(readFileSync('config/placement-sync.schema.json', 'utf8')) as object,
    );
  });
});
