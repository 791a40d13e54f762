/**
 * SQL: a text in whose order numbers of a key follow each other by their value: each is padded to 18 digits. To the
 * letter that of migration 0014, which has an index of it and says why it is so long.
 */
export function naturalSql(key: string): string {
  return `(case
  when rtrim(${key}, '0123456789') <> translate(rtrim(${key}, '0123456789'), '0123456789', '')
    then case when length(${key}) <= 64 and ${key} !~ '([0-9]+[^0-9]+){5}[0-9]'
      then regexp_replace(regexp_replace(${key}, '([0-9]+)', '000000000000000000\\1', 'g'), '0*([0-9]{18,})', '\\1', 'g')
      else ${key} end
  when ${key} = rtrim(${key}, '0123456789') then ${key}
  else rtrim(${key}, '0123456789') || lpad(substr(${key}, length(rtrim(${key}, '0123456789')) + 1), greatest(18, length(${key}) - length(rtrim(${key}, '0123456789'))), '0')
  end)`;
}
