import { SECRET, type CliWorld } from './cli-world.js';

/** Has `start` sweep every second, receive webhooks that are signed with the sandbox's secret, and listen on free ports. */
export function configureWorker(world: CliWorld): void {
  world.configure(
    'entities:',
    `schedule: { sync: '* * * * * *' }
webhook: { secrets: ['${SECRET}'] }
http: { public: { host: 127.0.0.1, port: 0 }, admin: { port: 0 } }
entities:`,
  );
}
