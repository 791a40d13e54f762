/**
 * SQL: the text as a skill code, lower-case snake_case (interface §2). `C++` is `cpp`, `C#` is `c_sharp`, `Node.js` is
 * `node_js`. `text`: an SQL expression.
 */
export function skillCodeSql(text: string): string {
  return `trim(both '_' from regexp_replace(replace(replace(lower(${text}), '+', 'p'), '#', '_sharp'), '[^a-z0-9]+', '_', 'g'))`;
}
