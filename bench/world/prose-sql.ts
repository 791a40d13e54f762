/** SQL: a text of so many pieces of 32 letters, which does not compress to nothing. */
export const proseSql = (seed: string, pieces: number): string =>
  Array.from({ length: pieces }, (_, index) => `md5(${seed} || '-${index}')`).join(` || ' ' || `);
