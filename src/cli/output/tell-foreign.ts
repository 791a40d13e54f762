import { tell } from './write.js';

/** Says which statuses count as read and are nowhere else; nothing when there are none. `entities`: counters by name. */
export function tellForeign(
  entities: Readonly<Record<string, { readonly foreign?: number } | undefined>>,
): void {
  for (const [name, counters] of Object.entries(entities)) {
    const foreign = counters?.foreign ?? 0;
    if (foreign > 0)
      tell(`  ${name}: ${foreign} are of applications that did not come by webhook; they are not sent.`);
  }
}
