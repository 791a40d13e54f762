import type { Issue } from '../../core/domain/issue.js';

/**
 * What is wrong in a field, in Indonesian. The ledger keeps the English messages of the rules: each is found here by its
 * form, and its values stay. What has no line here is said by its code, with the message behind it.
 */

const CODES: Readonly<Record<Issue['code'], string>> = {
  required: 'tidak ada isinya',
  format: 'formatnya salah',
  type: 'jenisnya salah',
  range: 'di luar batas',
  unmapped: 'kodenya tidak ada di lookup',
  undecided: 'kodenya belum memiliki id',
  refused: 'ditolak',
  doubtful: 'mungkin salah',
  word: 'bukan kata dari antarmuka platform',
  zone: 'tidak memiliki zona waktu',
};

const FORMS: readonly (readonly [english: RegExp, indonesian: string])[] = (
  [
    ['is required', 'wajib diisi'],
    ['is required, but its lookup leaves the field out', 'wajib diisi, tetapi lookup mengosongkannya'],
    ['must not be blank', 'tidak boleh kosong'],
    ['must be text', 'harus berupa teks'],
    ['must be a UUID', 'harus berupa UUID'],
    ['must be an http or https URL', 'harus berupa URL http atau https'],
    ['must be a URL without blanks', 'harus berupa URL tanpa spasi'],
    ['must be a whole number', 'harus bilangan bulat'],
    ['must be a number', 'harus berupa angka'],
    ['must be true or false', 'harus true atau false'],
    ['must be a date written YYYY-MM-DD', 'harus tanggal yang ditulis YYYY-MM-DD'],
    ['must be a date and time', 'harus tanggal dan waktu'],
    ['must be a time written YYYY-MM-DD HH:MM:SS', 'harus waktu yang ditulis YYYY-MM-DD HH:MM:SS'],
    ['must be a day between the years (.+) and (.+)', 'harus hari antara tahun $1 dan $2'],
    ['must be between (.+) and (.+)', 'harus antara $1 dan $2'],
    ['must be decimal degrees(?: as text)?', 'harus derajat desimal'],
    ['must be one value, not (?:an array|a JSON object)', 'harus satu nilai saja'],
    ['must be (?:an array|a list) of text(?:, or text with commas)?', 'harus daftar teks'],
    ['must be an object(?: with (.+))?', 'harus objek JSON'],
    ['must be lower-case snake_case, such as (.+)', 'harus huruf kecil dengan garis bawah, misalnya $1'],
    ['the code (.+) has no id in (.+) yet', 'kode $1 belum memiliki id di $2'],
    [
      'the code (.+) is not in (.+), but line (\\d+) differs .+',
      'kode $1 tidak ada di $2, tetapi baris $3 hampir sama',
    ],
    ['the code (.+) is not in (.+)', 'kode $1 tidak ada di $2'],
    ['code (.+) has no id', 'kode $1 belum memiliki id'],
    ['further codes have no id', 'kode lain belum memiliki id'],
    ['further problems', 'masalah lain'],
    ['the id of the code (.+) in (.+) is not a UUID', 'id dari kode $1 di $2 bukan UUID'],
    [
      'is a UUID that is neither in (\\S+) .+',
      'adalah UUID yang tidak ada di $1 maupun di data acuan platform',
    ],
    ['is "(.+)"; the platform needs a date', 'berisi "$1"; platform memerlukan tanggal'],
    ['(.+) is not a day of the calendar', '$1 bukan tanggal yang ada'],
    ['is text with a time zone, .+', 'adalah teks dengan zona waktu, jadi harinya tidak pasti'],
    [
      'has no time zone; it is read as local time of (.+)',
      'tidak memiliki zona waktu; dibaca sebagai waktu $1',
    ],
    ['has more than (.+) digits', 'memiliki lebih dari $1 angka'],
    ['has more than (.+) elements', 'memiliki lebih dari $1 unsur'],
    ['has a fraction and is rounded', 'memiliki pecahan dan dibulatkan'],
    ['is nested more than (.+) levels deep', 'bersarang lebih dari $1 tingkat'],
    ['is beyond what JSON readers hold exactly', 'terlalu besar untuk dibaca dengan tepat'],
    [
      'is an array or JSON of more than (.+) characters',
      'adalah daftar atau JSON dengan lebih dari $1 huruf',
    ],
    ['is HTML that is .+', 'adalah HTML yang terlalu besar atau terlalu dalam'],
    [
      'is a number that a spreadsheet shortened, .+',
      'adalah angka yang dipendekkan lembar kerja, jadi digitnya hilang',
    ],
    ['is not sent, because the region has no (.+)', 'tidak dikirim, karena wilayahnya tidak memiliki $1'],
    ['is not a field of the interface', 'bukan kolom dari antarmuka platform'],
    ['cannot be converted(?:: .+)?', 'tidak dapat diubah ke bentuk yang diminta'],
    ['has only invisible characters', 'hanya berisi huruf yang tidak terlihat'],
    ['has a word that stands for .+', 'berisi kata yang berarti “tidak diketahui”'],
    ['has control characters', 'berisi karakter kendali'],
    ['is not an e-mail address', 'bukan alamat surel'],
    ['is not a telephone number', 'bukan nomor telepon'],
    ['begins or ends with blanks', 'diawali atau diakhiri spasi'],
    ['is not a currency code .+', 'bukan kode mata uang ISO 4217, misalnya IDR'],
    ['is not a country code .+', 'bukan kode negara ISO 3166, misalnya SG'],
    ['is 0, and job seekers see it as 0', 'adalah 0, dan pencari kerja melihat 0'],
    [
      'is (.+), which is hardly what somebody earns in a month',
      'adalah $1, yang jarang menjadi gaji sebulan',
    ],
    ['is negative', 'bernilai negatif'],
    ['is past while (\\S+) is (.+)', 'sudah lewat, sedangkan $1 adalah $2'],
    ['is past', 'sudah lewat'],
    ['is (?:above|after) (.+)', 'melebihi $1'],
    ['is not a word that the interface knows \\((.+)\\)', 'bukan kata dari antarmuka platform ($1)'],
    ['is 0', 'adalah 0'],
  ] as const
).map(([english, indonesian]) => [new RegExp(`^${english}$`, 's'), indonesian]);

/** The message of a rule in Indonesian. */
export function indonesianIssue(message: string, code: Issue['code']): string {
  const [, text = message, column] = /^(.*?)(?: \(column (\S+)\))?$/s.exec(message) ?? [];
  const form = FORMS.find(([english]) => english.test(text));
  const said = form ? text.replace(form[0], form[1]) : `${CODES[code]} (${text})`;
  return column === undefined ? said : `${said} (kolom ${column})`;
}
