/**
 * SQL: the reference of the record in alias `p` as JSON. The column has it as text; what is kept of the reply says whether
 * the platform gave a number, and children name it as the platform does.
 */
export function referenceSql(p: string): string {
  return `case when ${p}.acknowledged_reply ->> 'reference' = ${p}.reference
    then ${p}.acknowledged_reply -> 'reference' else to_jsonb(${p}.reference) end`;
}
