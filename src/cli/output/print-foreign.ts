import { say } from './write.js';

/** Prints the number of application statuses that are read but not sent, if any. `entities`: counters by name. */
export function printForeign(
  entities: Readonly<Record<string, { readonly foreign?: number } | undefined>>,
): void {
  for (const [name, counters] of Object.entries(entities)) {
    const foreign = counters?.foreign ?? 0;
    if (foreign > 0)
      say(`  ${name}: ${foreign} are for applications that did not come by webhook. They are not sent.`);
  }
}
