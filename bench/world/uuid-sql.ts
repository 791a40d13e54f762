/** SQL: a UUID made of a text. */
export const uuidSql = (text: string): string => `md5(${text})::uuid`;
