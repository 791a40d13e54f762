import { singular } from '../words.js';

export type TargetKind = 'text' | 'code' | 'number' | 'date' | 'flag' | 'url' | 'degrees' | 'list' | 'person';

export interface Target {
  readonly name: string;
  readonly kind: TargetKind;
  /** Names that hardly mean anything else, then those that may. Words in the singular, joined by `_`; `*`: any words. */
  readonly sure: RegExp;
  readonly maybe: RegExp;
}

const NEVER = '(?!)';

/** A target by the names of columns: `sure`, and `maybe`, parted by blanks; each may be a regular expression. */
export function target(name: string, kind: TargetKind, sure: string, maybe = ''): Target {
  const whole = (text: string) => {
    const names = text.split(/\s+/).filter(Boolean);
    const singulars = names.map((each) => each.split('_').map(singular).join('_'));
    return new RegExp(`^(?:${singulars.join('|') || NEVER})$`);
  };
  return { name, kind, sure: whole(sure), maybe: whole(maybe) };
}
