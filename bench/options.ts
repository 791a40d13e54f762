import { parseArgs } from 'node:util';

export interface Options {
  /** Of the sweeps; others have the numbers of their table. */
  readonly rows: number;
  readonly rounds: number;
  /** Of the fleet. */
  readonly tenants: number;
  readonly quick: boolean;
  /** Names of benchmarks; empty: all. */
  readonly only: readonly string[];
  /** Whether results are written. */
  readonly write: boolean;
  readonly help: boolean;
  /** As it was called. */
  readonly command: string;
}

const QUICK_ROWS = 5_000;
const USUAL_ROWS = 100_000;
const QUICK_TENANTS = 30;
export const USUAL_TENANTS = 2_000;

/** Options of a command line. Throws an Error with what is wrong. */
export function readOptions(words: readonly string[], names: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rows: { type: 'string' },
      rounds: { type: 'string' },
      tenants: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      print: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { quick, print, help } = values;
  const number = (text: string | undefined, least: number, otherwise: number): number => {
    const value = text === undefined ? otherwise : Number(text.replaceAll(/[_,]/g, ''));
    if (!Number.isInteger(value) || value < least)
      throw new Error(`${text} is not a number from ${least} on.`);
    return value;
  };
  const only = values.only.flatMap((each) => each.split(','));
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: choose from ${names.join(', ')}.`);
  return {
    rows: number(values.rows, 1_000, quick ? QUICK_ROWS : USUAL_ROWS),
    rounds: number(values.rounds, 1, quick ? 2 : 5),
    tenants: number(values.tenants, 10, quick ? QUICK_TENANTS : USUAL_TENANTS),
    ...{ quick, only, help, write: !print },
    command: ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' '),
  };
}
