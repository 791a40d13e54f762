/** Words that names of columns are made of, as parts of regular expressions: words in the singular. */
export const PAY =
  '(?:salary|gaji|pay|wage|upah|remuneration|compensation|comp|income|honor|honorarium|stipend|penghasilan|rate|range_gaji|bayaran)';
export const LOW = '(?:min|from|low|lower|start|minimum|minimal|dari|bawah|terendah|awal|mulai|floor|bottom)';
export const HIGH =
  '(?:max|to|high|upper|end|maximum|maksimum|maksimal|mak|sampai|ata|tertinggi|akhir|upto|up_to|hingga|ceiling|top|until)';
export const SIGN_UP =
  '(?:registration|register|enrol|enrolment|enroll|enrollment|sign_?up|apply|application|booking|daftar|pendaftaran|reg|admission|intake)';
export const ENDS =
  '(?:until|end|ends|close|closes|closing|deadline|by|before|tutup|akhir|bata|sampai|selesai|to|finish|last_day|cutoff)';
export const YEARS = '(?:year|yr|tahun|thn|th|month|bulan|bln)';

/** Both orders of two words: `salary_min` and `min_salary`. */
export function either(one: string, other: string): string {
  return `${one}(?:_(?:amount|value|nominal|idr|rp))?_${other}(?:_(?:amount|value|nominal|idr|rp))? ${other}_${one}(?:_(?:amount|value|nominal|idr|rp))?`;
}
