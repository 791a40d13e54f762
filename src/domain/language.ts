/** Languages of the worker's texts; commands and notices use the first. */
export const LANGUAGES = ['en', 'id'] as const;

export type Language = (typeof LANGUAGES)[number];
