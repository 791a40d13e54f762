import { entityCheck } from '../check.js';
import { fail, pass } from '../finding.js';
import { judged } from '../learned.js';

export const required = entityCheck({
  id: 'required',
  levels: ['fail'],
  looksAt:
    'columns that are assumed to be required and that no row has, such as a `region_id` where nobody keeps cities',
  remedy:
    'Fill the column, or leave it out of `entities.ENTITY.required`: that the platform requires it is an assumption.',
  judge: ({ entity, rows }) =>
    judged(rows, ({ read, groups }) => {
      const assumed = entity.mapContext.required ?? entity.assumedRequired;
      const nowhere = assumed.filter((column) => {
        const missing = groups.filter(({ kind, field }) => kind === 'invalid' && isAbout(field, column));
        return read > 0 && missing.reduce((sum, { count }) => sum + count, 0) >= read;
      });
      if (nowhere.length === 0) return [pass('what is required is there')];
      const rest = assumed.filter((column) => !nowhere.includes(column));
      return [
        fail(
          `${nowhere.join(', ')} is required and no row has it, so none of ${read.toLocaleString('en-US')} ${entity.noun.many} can be sent`,
          `Fill it. If there is nothing to fill in: entities.${entity.name}.required: [${rest.join(', ')}] (that the platform requires it is assumed).`,
          { count: read },
        ),
      ];
    }),
});

/** Groups name the column, or the field of the body: `region.id` of `region_id`. */
function isAbout(field: string | null, column: string): boolean {
  return field?.replaceAll('.', '_') === column;
}
