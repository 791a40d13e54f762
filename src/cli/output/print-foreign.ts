import { say } from './write.js';

/** Prints the number of application statuses that are read but not sent, if any. `entities`: counters by name. */
export function printForeign(
  entities: Readonly<Record<string, { readonly foreign?: number } | undefined>>,
  indent = '  ',
): void {
  for (const [name, counters] of Object.entries(entities)) {
    const foreign = counters?.foreign ?? 0;
    if (foreign === 0) continue;
    const them = foreign === 1 ? 'one is for an application' : `${foreign} are for applications`;
    const it = foreign === 1 ? 'It is' : 'They are';
    say(`${indent}${name}: ${them} that did not come by webhook (foreign). ${it} not sent.`);
  }
}
