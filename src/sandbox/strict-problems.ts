import type { BodyProblem } from '../contract/body-problems.js';
import type { OperationName } from '../contract/operation.js';

type Rule = (value: unknown) => readonly BodyProblem[];

/** Lower-case snake_case (interface §2). */
const SKILL = /^[a-z0-9]+(_[a-z0-9]+)*$/;
/** Observed, and null for no restriction. */
const GENDERS: readonly unknown[] = ['male', 'female', null];

/** What the interface's words rule out although it fits the types, by operation and field. */
const RULES: Readonly<Record<OperationName, Readonly<Record<string, Rule>>>> = {
  putCompany: {
    region: (value) =>
      value === undefined || value === null
        ? [{ field: 'region', code: 'required', message: 'is required' }]
        : [],
  },
  putVacancy: {
    skills: (value) =>
      (Array.isArray(value) ? (value as unknown[]) : []).flatMap((skill, index) =>
        typeof skill === 'string' && !SKILL.test(skill)
          ? [
              {
                field: `skills.${index}`,
                code: 'format',
                message: 'must be lower-case snake_case, such as forklift_operation',
              },
            ]
          : [],
      ),
    gender: (value) =>
      value === undefined || GENDERS.includes(value)
        ? []
        : [{ field: 'gender', code: 'format', message: 'must be male, female or null' }],
  },
};

/** Everything that `sandbox --strict` refuses in a body beside what its schema refuses. Pure. */
export function strictProblems(operation: OperationName, body: unknown): readonly BodyProblem[] {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return Object.entries(RULES[operation] ?? {}).flatMap(([field, rule]) => rule(fields[field]));
}
