import type { DoubtedField, LeftOverField, VerifyReport } from './verify-report.js';

/** What a reader of the result should know, and what to do about it. */
export interface VerifyNote {
  readonly message: string;
  readonly hint: string;
}

/** What follows from fields that are doubted, and from what the platform holds beyond the body. Pure. */
export function verifyNotes({
  doubted = [],
  leftOver = [],
}: Pick<VerifyReport, 'doubted' | 'leftOver'>): readonly VerifyNote[] {
  const firsts = leftOver.filter(
    (each, index) => leftOver.findIndex((other) => isOfOneColumn(each, other)) === index,
  );
  return [
    ...doubted.map(doubtNote),
    ...firsts.map((first) => leftOverNote(leftOver.filter((each) => isOfOneColumn(each, first)))),
  ];
}

function isOfOneColumn(one: LeftOverField, other: LeftOverField): boolean {
  return one.entity === other.entity && one.column === other.column;
}

function doubtNote({ entity, field, compared, drifted }: DoubtedField): VerifyNote {
  return {
    message: `${entity}: ${field} differs in ${drifted} of ${compared} records. Probably the platform shows this field in another way, so --repair leaves it alone.`,
    hint: `Compare one record with the platform. To send these records again all the same: placement-sync verify --entity ${entity} --repair --field ${field}`,
  };
}

function leftOverNote(fields: readonly LeftOverField[]): VerifyNote {
  const { entity = '', column = '' } = fields[0] ?? {};
  const records = Math.max(...fields.map((each) => each.records));
  return {
    message: `${entity}: the platform still holds ${fields.map(({ field }) => field).join(' and ')} in ${records} ${records === 1 ? 'record' : 'records'} for which your query has no value.`,
    hint: `--repair clears the field if the platform replaces the whole record. If it merges, only null clears the field. Then set entities.${entity}.absent: { ${column}: null }`,
  };
}
