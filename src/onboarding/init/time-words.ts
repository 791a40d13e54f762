import { wordsOf } from './words.js';

const OF =
  '(enrol|enroll|enrolment|enrollment|registration|register|reg|apply|application|course|class|event|training|job|posting|vacancy)?';
const WHEN = '(start|begin|end|finish|close|closing|open|opening|expire|expiry|due|deadline|publish|valid)';
const AFTER = new RegExp(`^${OF}${WHEN}(datetime|date|time)?$`);
const BEFORE = new RegExp(`^(?:date|time)${WHEN}$`);

/** Words of the name of a day or time, also where they are written as one: `enrolenddate` is `enrol`, `end`, `date`. */
export function timeWords(name: string): readonly string[] {
  return wordsOf(name).flatMap((word) => {
    const before = BEFORE.exec(word)?.[1];
    if (before !== undefined) return [before, 'date'];
    const after = AFTER.exec(word)?.slice(1);
    if (!after) return [word];
    return after.flatMap((part: string | undefined) => (part === 'datetime' ? 'date' : (part ?? [])));
  });
}
