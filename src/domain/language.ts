/** Languages in which the worker speaks to people; commands and notices speak the first. */
export const LANGUAGES = ['en', 'id'] as const;

export type Language = (typeof LANGUAGES)[number];
