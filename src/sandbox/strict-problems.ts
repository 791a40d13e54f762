import type { BodyProblem } from '../contract/schema-fields.js';
import { type DoubtedBody, findDoubts } from '../contract/doubts.js';
import type { OperationName } from '../contract/operation.js';
import type { Entity } from '../entities/entity.js';

/** Fields without which a strict platform knows no record, although the interface calls no field required. */
const NEEDED: Readonly<Record<OperationName, readonly string[]>> = { putCompany: ['region'] };

/**
 * Everything that `sandbox --strict` refuses in a body beside what its schema refuses: what the strictest reading of
 * the interface rules out. The worker warns of the same values before it sends them. Pure.
 */
export function strictProblems(
  operation: OperationName,
  { doubts }: Pick<Entity, 'doubts'>,
  sent: unknown,
): readonly BodyProblem[] {
  const body = (typeof sent === 'object' && sent !== null ? sent : {}) as DoubtedBody;
  const missing = (NEEDED[operation] ?? []).filter((field) => (body[field] ?? null) === null);
  return [
    ...missing.map((field) => ({ field, code: 'required', message: 'is required' }) as const),
    ...findDoubts(doubts, body, null)
      .filter(({ ruledOut }) => ruledOut)
      .map(({ field, index, message }) => {
        const path = index === undefined ? field : `${field}.${index}`;
        return { field: path, code: 'format', message } as const;
      }),
  ];
}
