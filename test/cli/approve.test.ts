import { expect, test, vi } from 'vitest';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';
import { onTerminal } from './run-cli.js';
import { DAILY } from '../slow.js';

vi.setConfig({ testTimeout: 120_000 });

/** Three of twelve vacancies have left the source, and the guard holds the sweep that saw it. */
async function heldWorld(policy: string): Promise<CliWorld> {
  const world = await createCliWorld();
  world.configure('vacancies.sql }', `vacancies.sql, ${policy} }`);
  await addCompanies(world, 1);
  await addVacancies(world, 12);
  expect(await world.run()).toMatchObject({ code: 0 });
  await world.sql(`delete from vacancy where id > 'v009'`);
  expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { held: true } } });
  world.sandbox.clearRequests();
  return world;
}

const approval = async (world: CliWorld) =>
  (await world.sql(`select approval from placement_sync.entity_state where entity = 'vacancies'`))[0]
    ?.approval;

test.each([
  [
    'onVanished: close, closedStatus: filled',
    '3 vacancies will be CLOSED at the platform (status "filled").',
  ],
  ['onVanished: report', '3 vacancies will only be marked as vanished: nothing is sent'],
])('under %s, run, status, plan and approve say what an approval does', async (policy, consequence) => {
  const world = await heldWorld(policy);
  const { stdout: plan } = await world.cli('plan');
  expect(plan).toMatch(/would be held by the guard max-vanished-percent.*\n *If you approve:\n/);
  for (const command of [['run'], ['status'], ['plan'], ['approve', 'vacancies']]) {
    const { stdout } = await world.cli(...command);
    expect(stdout, command.join(' ')).toContain('If you approve:');
    expect(stdout, command.join(' ')).toContain(consequence);
  }
});

test('without a terminal approve refuses unless --yes, and with it the consequence comes true', async () => {
  const world = await heldWorld('onVanished: close');
  const refused = await world.cli('approve', 'vacancies');
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toContain('3 vacancies will be CLOSED at the platform');
  expect(refused.stderr).toContain('there is no terminal. Nothing was done.');
  expect(refused.stderr).toContain('placement-sync approve vacancies --yes');
  expect(await approval(world)).toBeNull();
  expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { sent: 0, held: true } } });
  const approved = await world.cli('approve', 'vacancies', '--yes');
  expect(approved).toMatchObject({ exitCode: 0 });
  expect(approved.stdout).toMatch(/3 vacancies will be CLOSED.*\n.*approved/);
  expect((await world.cli('approve', 'vacancies', '--yes')).stdout).toContain('approved');
  expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { sent: 3, held: false } } });
  const closed = world.sandbox
    .records('jobs', 'vacancies')
    .filter(({ body }) => (body as { status?: string }).status === 'closed');
  expect(closed).toHaveLength(3);
  const again = await world.cli('approve', 'vacancies', '--yes');
  expect(again).toMatchObject({
    exitCode: 0,
    stdout: 'vacancies is not held. There is nothing to approve.\n',
  });
});

test('a push hold says how many rejected records are sent again, and sends them', async () => {
  const world = await createCliWorld();
  world.configure('entities:', 'guards: { maxRejectedInARow: 5 }\nentities:');
  await addCompanies(world, 8);
  world.intercept = () => ({ status: 422, body: { message: 'no' } });
  const { entities } = await world.run();
  const rejected = entities.companies?.rejected ?? 0;
  expect(rejected).toBeGreaterThanOrEqual(5);
  const sentence = `${rejected} rejected records of companies will be sent again.`;
  expect((await world.cli('status')).stdout).toContain(`If you approve: ${sentence}`);
  world.intercept = null;
  expect((await world.cli('approve', 'companies', '--yes')).stdout).toContain(sentence);
  expect(world.sandbox.records('jobs', 'companies')).toHaveLength(8);
});

test('on a terminal it asks: only yes approves, and --yes does not ask', async ({ skip }) => {
  skip(DAILY);
  const world = await heldWorld('onVanished: close');
  // No, nothing, Ctrl-D and Ctrl-C.
  for (const typed of ['n\n', '\n', '\u0004', '\u0003']) {
    const { exitCode, shown } = await onTerminal(world, ['approve', 'vacancies'], () => typed);
    expect(shown).toMatch(/3 vacancies will be CLOSED at the platform\.\s+Approve vacancies\? \[y\/N\]/);
    expect(shown, JSON.stringify(typed)).toContain('Nothing was approved.');
    expect(exitCode, JSON.stringify(typed)).toBe(1);
    expect(await approval(world)).toBeNull();
  }
  const yes = await onTerminal(world, ['approve', 'vacancies'], () => 'y\n');
  expect(yes).toMatchObject({ exitCode: 0 });
  expect(yes.shown).toContain('approved');
  expect(await approval(world)).toEqual({ vanished: 3, invalid: 0 });
  const unasked = await onTerminal(world, ['approve', 'vacancies', '--yes'], () => 'n\n');
  expect(unasked).toMatchObject({ exitCode: 0 });
  expect(unasked.shown).not.toContain('[y/N]');
});

test('what a newer sweep found beyond the question is not approved by the answer', async () => {
  const world = await heldWorld('onVanished: close');
  const { exitCode, shown } = await onTerminal(world, ['approve', 'vacancies'], async () => {
    await world.sql(`delete from vacancy where id > 'v006'`);
    expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { vanished: 6 } } });
    return 'y\n';
  });
  expect(shown).toContain('a newer sweep found more than this');
  expect(exitCode).toBe(4);
  expect(await approval(world)).toBeNull();
});
