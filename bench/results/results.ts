import type { Figure } from './figure.js';

/** Where the figures were measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
}

export interface Measured {
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly command: string;
  readonly rounds: number;
  readonly machine: Machine;
  /** Processes that ran or waited for a core when it began. */
  readonly load?: number;
  readonly figures: readonly Figure[];
}

/** The content of bench/results.json: the last measurement of each benchmark. */
export interface Results {
  readonly benchmarks: readonly Measured[];
}
