/** What is done when the tests of a file are over, the latest first; `drop-databases.ts` does it. */
export const atEndOfFile: (() => Promise<unknown>)[] = [];
