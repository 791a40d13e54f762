import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a TypeScript file of bench/ as a process; `argument` is handed over as JSON. */
export function startChild(file: string, argument: unknown = null): ChildProcess {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  return fork(path, [JSON.stringify(argument)], { execArgv: ['--import', 'tsx'] });
}
