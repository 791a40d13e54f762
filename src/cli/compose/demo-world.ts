import { join } from 'node:path';
import { loadConfig } from '../../core/config/load.js';
import { startPostgres } from '../../features/demo/postgres/start-postgres.js';
import { editSample } from '../../features/demo/sample/edit-sample.js';
import { seedSample, withClient } from '../../features/demo/sample/seed-sample.js';
import { type RunningSandbox, startSandbox } from '../../features/sandbox/start-sandbox.js';
import { io } from '../io.js';
import { PACKAGE_ROOT } from './package-info.js';

export type DemoWorld = Awaited<ReturnType<typeof startDemoWorld>>;

/** The demo's surroundings: a database, a platform, and the configuration between them, on free ports of this machine. */
export async function startDemoWorld() {
  const postgres = await startPostgres({ env: io().env });
  let sandbox: RunningSandbox | null = null;
  try {
    await withClient(postgres.superUrl, (client) => client.query('create database hr'));
    sandbox = await startSandbox({
      clients: {
        jobs: { clientId: 'demo-jobs', secret: 'demo-jobs-secret' },
        training: { clientId: 'demo-training', secret: 'demo-training-secret' },
      },
    });
    const environment = { DEMO_DATABASE_URL: postgres.url('hr'), DEMO_SANDBOX_URL: sandbox.url };
    const config = loadConfig({ file: join(PACKAGE_ROOT, 'config', 'demo.yaml'), env: environment });
    const running = sandbox;
    return {
      postgres,
      sandbox,
      config,
      /** What `config/demo.yaml` needs, for commands in another terminal. */
      environment,
      /** Gives the records that are wrong on purpose. */
      seed: () =>
        withClient(environment.DEMO_DATABASE_URL, (client) =>
          seedSample(client, join(PACKAGE_ROOT, 'config', 'demo', 'sample.sql')),
        ),
      edit: () => withClient(environment.DEMO_DATABASE_URL, (client) => editSample(client)),
      async stop() {
        await running.close();
        await postgres.stop();
      },
    };
  } catch (error) {
    await sandbox?.close();
    await postgres.stop();
    throw error;
  }
}
