import { NO_DOUBTS, type DoubtRule } from './doubt.js';

/**
 * A last day in the past while the record is open, or at all where no `status` says so. Not ruled out: it is a question of today, and what was accepted
 * yesterday would be refused at its next refresh.
 */
export function pastDayRule(
  field: string,
  status: { readonly field: string; readonly open: string } | null,
): DoubtRule {
  return (body, today) => {
    const day = body[field];
    if (today === null || typeof day !== 'string' || day >= today) return NO_DOUBTS;
    if (status !== null && body[status.field] !== status.open) return NO_DOUBTS;
    return [
      {
        field,
        code: 'doubtful',
        message: status === null ? 'is past' : `is past while ${status.field} is ${status.open}`,
        value: day,
        hint: `Leave such rows out with WHERE${status === null ? '' : `, or return another ${status.field} for them`}.`,
        ruledOut: false,
      },
    ];
  };
}
