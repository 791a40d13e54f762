/**
 * Words that say whether a record is shown, in English and Indonesian: a column is one of states when its values are such
 * words, whatever it is called, and of its values the likely ones are chosen beforehand.
 */

/** Folded: lower case, letters and digits only. */
const SHOWN = new Set(
  `open opened buka dibuka active aktif published publish terbit diterbitkan tayang ditayangkan live online shown tampil ditampilkan visible
  public publik approved disetujui verified terverifikasi confirmed accepted diterima valid berlaku enabled running berjalan y yes ya true t on
  pub pbl opn akt act posted listed released current ongoing available tersedia`.split(/\s+/),
);

const LEFT_OUT = new Set(
  `close closed tutup ditutup inactive nonaktif tidakaktif batal dibatalkan cancel cancelled canceled penuh full draft draf konsep
  expired kadaluarsa kedaluwarsa selesai done finished completed pending menunggu rejected ditolak hold onhold held paused suspended beku dibekukan
  blocked blokir diblokir archived archive arsip diarsipkan trash deleted dihapus hapus removed void hidden sembunyi private internal review inreview
  direview proses diproses filled terisi withdrawn retired disabled unpublished unverified belumterverifikasi belumdiverifikasi belum
  n no tidak false f off new baru waiting habis berakhir ended scheduled test deprecated drf hld cls can arc del sus unlisted`.split(
    /\s+/,
  ),
);

/** Yes and no, of whatever: they make no states of a column that is not called like one. */
const ANSWERS = new Set(
  'y n yes no ya tidak true false t f on off new baru current full act can public private internal'.split(
    ' ',
  ),
);

export type StateWord = 'shown' | 'left out' | null;

export function stateWord(text: string): StateWord {
  const word = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const one = SHOWN.has(word) ? 'shown' : LEFT_OUT.has(word) ? 'left out' : null;
  if (one !== null) return one;
  // `JOB_PUBLISHED`, `Sudah tayang`: its last word says it; `belum tayang` says the opposite.
  const words = text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  if (words.length < 2) return null;
  const last = stateWord(words.at(-1) ?? '');
  if (last === 'shown' && /^(not|non|un|belum|tidak|tak|no)$/.test(words.at(-2) ?? '')) return 'left out';
  return last;
}

/** SQL: whether a folded text is a word of states. */
export function isStateSql(text: string): string {
  const words = [...SHOWN, ...LEFT_OUT].filter((word) => !ANSWERS.has(word) && word.length > 3);
  return `regexp_replace(lower(${text}), '[^a-z0-9]', '', 'g') in (${words.map((word) => `'${word}'`).join(', ')})`;
}
