import type { ENGLISH } from './english.js';

/** The same keys with text of any language: a missing or an unknown key does not compile. */
export type Translated<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends (...args: infer Args) => string
      ? (...args: Args) => string
      : Translated<T[Key]>;
};

/** Every text of the dashboard in one language. */
export type Texts = Translated<typeof ENGLISH>;
