import type { Entity } from '../../entities/entity.js';
import type { AdoptFindings } from './adopt-entity.js';
import type { AdoptCounters } from './adopt-report.js';

/** What a reader of the result should know, and what to do about it. */
export interface AdoptNote {
  readonly message: string;
  readonly hint: string;
}

/** From so many records on that the platform holds, the share that differs means something. */
const ENOUGH = 5;
/** From this share on, the records are probably not ours. */
const NEARLY_ALL = 0.9;

/** What follows from the counters of one entity. `find`: the name of its Find. Pure. */
export function adoptNotes(
  { name, parent }: Pick<Entity, 'name' | 'parent'>,
  { checked, adopted, different, missing, waiting = 0 }: AdoptCounters,
  { unshown, madeIds }: AdoptFindings,
  find: string,
): readonly AdoptNote[] {
  const held = adopted + different;
  return [
    ...(checked > 0 && missing === checked
      ? [
          {
            message: `${name}: the platform answered 404 for each of ${checked} records.`,
            hint: `If the platform holds some of them, the path of ${find} is wrong: platform.operations.${find} sets it.`,
          },
        ]
      : []),
    ...(held >= ENOUGH && different >= NEARLY_ALL * held
      ? [
          {
            message: `${name}: ${different} of ${held} records that the platform holds differ. Does another database use the same ${madeIds ? 'ids.namespace' : 'ids'}? Then both write the same records, and each overwrites those of the other.`,
            hint: `Look at one of them before the next run: placement-sync explain ${name} KEY shows what would be sent.${madeIds ? ' If it is a record of another database, give this one an ids.namespace of its own.' : ''} If they are yours, the next run brings them up to date.`,
          },
        ]
      : []),
    ...unshown.map((field) => ({
      message: `${name}: the platform shows nothing in ${field} for any record that has a value there. It probably shows the field to nobody, so it was not compared.`,
      hint: `If the platform really lacks it, send the records again: placement-sync resync --entity ${name}`,
    })),
    ...(waiting > 0 && parent !== null
      ? [
          {
            message: `${name}: ${counted(waiting)} for ${parent.entity} without a reference and ${waiting === 1 ? 'was' : 'were'} not read.`,
            hint: `The platform does not have these ${parent.entity}, or they are invalid. Correct or send them, then run adopt again. Otherwise a run sends what waits after its ${parent.entity}.`,
          },
        ]
      : []),
  ];
}

function counted(count: number): string {
  return count === 1 ? 'one record waits' : `${count} records wait`;
}
