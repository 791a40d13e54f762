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
  drift,
}: Pick<VerifyReport, 'doubted' | 'leftOver' | 'drift'>): readonly VerifyNote[] {
  const firsts = leftOver.filter(
    (each, index) => leftOver.findIndex((other) => isOfOneColumn(each, other)) === index,
  );
  return [
    ...doubted.map((field) =>
      drift.some((each) => each.entity === field.entity && each.field === field.field)
        ? doubtNote(field)
        : unshownNote(field),
    ),
    ...firsts.map((first) => leftOverNote(leftOver.filter((each) => isOfOneColumn(each, first)))),
  ];
}

function isOfOneColumn(one: LeftOverField, other: LeftOverField): boolean {
  return one.entity === other.entity && one.column === other.column;
}

function doubtNote({ entity, field, compared, drifted }: DoubtedField): VerifyNote {
  return {
    message: `${entity}: ${field} differs in ${drifted} of ${compared} records. That says more about how the platform shows the field than about the records, so --repair leaves it alone.`,
    hint: sendAgain(entity, field),
  };
}

/** A difference that is not listed as drift. */
function unshownNote({ entity, field, drifted }: DoubtedField): VerifyNote {
  return {
    message: `${entity}: the platform shows nothing in ${field} for any of ${drifted} records that were sent with it. It probably shows the field to nobody, so this does not count as drift.`,
    hint: sendAgain(entity, field),
  };
}

function sendAgain(entity: string, field: string): string {
  return `Compare one record with the platform. To send these records again all the same: placement-sync verify --entity ${entity} --repair --field ${field}`;
}

function leftOverNote(fields: readonly LeftOverField[]): VerifyNote {
  const { entity = '', column = '' } = fields[0] ?? {};
  const records = Math.max(...fields.map((each) => each.records));
  return {
    message: `${entity}: the platform still holds ${fields.map(({ field }) => field).join(' and ')} in ${records} ${records === 1 ? 'record' : 'records'} for which your query has no value.`,
    hint: `--repair clears the field if the platform replaces the whole record. If it merges, only null clears the field. Then set entities.${entity}.absent: { ${column}: null }`,
  };
}
