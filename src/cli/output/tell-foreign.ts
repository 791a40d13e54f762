import { tell } from './write.js';

/** Says which statuses count as read and are nowhere else; nothing when there are none. `entities`: counters by name. */
export function tellForeign(
  entities: Readonly<Record<string, { readonly foreign?: number } | undefined>>,
): void {
  const foreign = entities['application-statuses']?.foreign ?? 0;
  if (foreign === 0) return;
  tell(
    `  application-statuses: ${foreign} are of applications that did not come by webhook; they are not sent.`,
  );
}
