import { cpus, release, totalmem, type as systemName } from 'node:os';
import type { Machine } from '../results/results.js';

/** This machine. `postgres`: version of the server that is measured. */
export function machine(postgres: string): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${systemName()} ${release()}`,
    node: process.versions.node,
    postgres,
  };
}
