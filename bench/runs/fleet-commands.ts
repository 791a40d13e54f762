import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from '../measure/timed.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import type { FleetWorld } from '../world/open-fleet-world.js';
import type { ToolRun } from '../world/tool.js';

/** The commands of a fleet, with all its tenants. Its tables and all ledgers are there at the end. */
export async function* fleetCommands(world: FleetWorld): AsyncGenerator<Figure> {
  const { fleet, tenants } = world;
  const all = tenants.toLocaleString('en');
  const figure = (what: string, run: ToolRun, more?: string): Figure => ({
    ...{ what: `${what}, process start to exit`, rows: null, unit: 's', value: spread([run.seconds]) },
    ...{
      reference: null,
      target: null,
      aside: [costs(run), ...(more === undefined ? [] : [more])].join('; '),
    },
  });
  await fleet('migrate');
  yield figure(`\`fleet apply\` of ${all} tenants, all new`, await world.apply());
  yield figure(`\`fleet apply\` of ${all} tenants, all unchanged`, await world.apply());
  if (world.ledgers > 0) yield figure(`\`fleet migrate\`, all ${all} ledgers new`, await fleet('migrate'));
  else {
    const killed = await killedHalfway(world);
    const rest = await fleet('migrate');
    yield figure(
      `\`fleet migrate\`, called again after a kill: the rest of ${all} ledgers`,
      rest,
      `the first call made ${killed.ready} ledgers in ${killed.seconds.toFixed(0)} s; the second says: ${saidOf(rest)}`,
    );
    await world.undoLast();
    const one = await fleet('migrate');
    yield figure(
      `\`fleet migrate\`, one migration for each of ${all} ledgers`,
      one,
      `it says: ${saidOf(one)}`,
    );
  }
  yield figure(`\`fleet migrate\`, all ${all} up to date`, await fleet('migrate'));
  for (const command of ['list', 'status'])
    yield figure(`\`fleet ${command}\` with ${all} tenants`, await fleet(command));
}

/** Kills `fleet migrate` when half of the ledgers are there. */
async function killedHalfway({ tenants, start, number }: FleetWorld) {
  const ledgers = () => number(`select count(*) from pg_namespace where nspname like 'tenant\\_%'`);
  const seconds = await timed(async () => {
    const command = start(['migrate']);
    while ((await ledgers()) < tenants / 2) await sleep(200);
    await command.stop('SIGKILL');
  });
  return { seconds, ready: await ledgers() };
}

/** `Ledgers: 1,000 migrated, …` */
function saidOf({ stdout }: ToolRun): string {
  return /^Ledgers: (.*)$/m.exec(stdout)?.[1]?.replace(/\.$/, '') ?? '';
}

function costs({ cpu, postgresCpu, memory }: ToolRun): string {
  return `CPU ${cpu.toFixed(1)} s, Postgres ${postgresCpu.toFixed(1)} s, ${memory.toFixed(0)} MB`;
}
