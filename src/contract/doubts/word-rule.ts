import { NO_DOUBTS, type DoubtRule } from './doubt.js';

/** A text field with a closed choice of words. `ruledOut`: whether a strict platform refuses any other. */
export function wordRule(field: string, words: readonly string[], ruledOut = true): DoubtRule {
  const choice = words.join(' or ');
  return (body) => {
    const value = body[field];
    if (typeof value !== 'string' || words.includes(value)) return NO_DOUBTS;
    return [
      {
        field,
        code: 'word',
        message: `is not a word that the interface knows (${choice})`,
        value,
        hint: `Give the column ${field} a lookup whose id is ${choice}, or - where the field is left out.`,
        ruledOut,
      },
    ];
  };
}
