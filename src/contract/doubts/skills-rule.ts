import { skillCodeSql } from '../skill-code-sql.js';
import { NO_DOUBTS, type DoubtRule } from './doubt.js';

/** Lower-case snake_case (interface §2). */
const SKILL_CODE = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** The skill codes of a list; one doubt for each code in another form. */
export function skillsRule(field: string): DoubtRule {
  return (body) => {
    const list = body[field];
    if (!Array.isArray(list)) return NO_DOUBTS;
    const other = (list as readonly unknown[]).flatMap((skill, index) =>
      typeof skill === 'string' && !SKILL_CODE.test(skill) ? [{ skill, index }] : [],
    );
    return other.map(({ skill, index }) => ({
      field,
      index,
      code: 'word' as const,
      message: 'must be lower-case snake_case, such as forklift_operation',
      value: skill,
      hint: `Give the column ${field} a lookup, or write it so in the query: ${skillCodeSql('name')}.`,
      ruledOut: true,
    }));
  };
}
