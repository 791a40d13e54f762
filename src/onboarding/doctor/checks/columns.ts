import { entityCheck } from '../check.js';
import { pass, warn, type Verdict } from '../finding.js';
import { judged } from '../learned.js';

/** Types whose text the platform cannot use. */
const ODD =
  /^(bytea|interval|xml|point|polygon|circle|line|box|path|money|tsvector|inet|cidr|macaddr|bit|record|oid|regclass)\b/;
/** Not about the content of the body. */
const OWN = ['key', 'row_version'];

export const columns = entityCheck({
  id: 'columns',
  levels: ['warn'],
  looksAt:
    'in how many rows each optional column is null; columns that are null everywhere; types that cannot be sent',
  remedy: 'Return the column from the table where it is filled, cast it, or leave it out of the query.',
  judge: ({ entity, rows, columns: types }) =>
    judged(rows, ({ read, absent, columns: present }) => {
      const optional = entity.columns.filter(({ name, required }) => !required && !OWN.includes(name));
      const missing = optional.filter(({ name }) => !present.includes(name)).map(({ name }) => name);
      const shares = optional
        .filter(({ name }) => present.includes(name))
        .map(({ name }) => ({ name, share: read === 0 ? 0 : (absent.get(name) ?? 0) / read }));
      const empty = shares.filter(({ share }) => share === 1).map(({ name }) => name);
      const partly = shares.filter(({ share }) => share < 1);
      const verdicts: Verdict[] = [];
      if (read === 0)
        verdicts.push(
          warn('the query returns no rows', 'Look at its conditions, and at the rights of the role.', {
            count: 0,
          }),
        );
      if (empty.length > 0) {
        verdicts.push(
          warn(
            `null in all rows: ${empty.join(', ')}`,
            'Look whether another column or table has the value; else leave it out of the query.',
            { count: read },
          ),
        );
      }
      const odd = 'value' in types ? types.value.filter(({ type }) => ODD.test(type)) : [];
      for (const { name, type } of odd) {
        verdicts.push(warn(`${name} is of type ${type}, which is sent as its text`, 'Cast it in the query.'));
      }
      const nulls = partly
        .filter(({ share }) => share > 0)
        .map(({ name, share }) => `${name} ${percent(share)}`);
      const parts = [
        nulls.length === 0 ? 'no nulls in the other optional columns' : `null: ${nulls.join(', ')}`,
        ...(missing.length === 0 ? [] : [`not in the query: ${missing.join(', ')}`]),
      ];
      return read === 0 ? verdicts : [...verdicts, pass(parts.join('; '))];
    }),
});

function percent(share: number): string {
  return share < 0.01 ? '< 1 %' : `${Math.min(99, Math.round(share * 100))} %`;
}
