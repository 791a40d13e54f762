import { say } from './write.js';

/** Says how many of the vanished records had expired, if any. `entities`: counters by name. */
export function printExpired(
  entities: Readonly<Record<string, { readonly vanished: number; readonly expired?: number } | undefined>>,
  indent = '  ',
): void {
  for (const [name, counters] of Object.entries(entities)) {
    const { vanished = 0, expired = 0 } = counters ?? {};
    if (expired === 0) continue;
    const of =
      vanished === 1
        ? 'The vanished record'
        : expired === vanished
          ? `All ${vanished} vanished records`
          : `${expired} of ${vanished} vanished records`;
    say(
      `${indent}${name}: ${of} had expired: ${expired === 1 ? 'its last day was' : 'their last day was'} over.`,
    );
  }
}
