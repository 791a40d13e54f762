import { type CatalogColumn, isTime } from '../catalog/catalog.js';
import { plainName, wordsOf } from './words.js';

/**
 * Words that say whether a record is shown, in English and Indonesian, as values and as names of columns: a column is one of
 * states when its values are such words, whatever it is called, and of its values the likely ones are chosen beforehand.
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

type StateWord = 'shown' | 'left out' | null;

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

/** Whether most of these are words of states, and not only yes and no. */
export function areStates(values: readonly string[]): boolean {
  const isKnown = (value: string) =>
    stateWord(value) !== null && !ANSWERS.has(value.toLowerCase().replace(/[^a-z0-9]/g, ''));
  return values.length > 1 && 2 * values.filter(isKnown).length >= values.length;
}

/** SQL: whether a folded text is a word of states. */
export function isStateSql(text: string): string {
  const words = [...SHOWN, ...LEFT_OUT].filter((word) => !ANSWERS.has(word) && word.length > 3);
  return `regexp_replace(lower(${text}), '[^a-z0-9]', '', 'g') in (${words.map((word) => `'${word}'`).join(', ')})`;
}

/** Onsite, remote, hybrid: how the work is done, and not where. */
export const WORK_MODE =
  /^(on[ _-]?site|(full[ _-]?)?remote|hybrid|wf[aho]|work from (home|office|anywhere)|telework|in[ _-]?office|office|kantor|rumah|jarak jauh)$/i;

/** A flag or time has only words of flags and of records in its name: `show_in_listing`, not `show_grades` or `closed_count`. */
export function isFlagName({ name, kind }: Pick<CatalogColumn, 'name' | 'kind'>): boolean {
  const words = wordsOf(name);
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (isTime(kind) && has(FUTURE)) return false;
  const isFlag = has(FLAG) && words.every((word) => FLAG.test(word) || NEUTRAL.has(word));
  return isFlag || (!isTime(kind) && kind !== 'boolean' && has(STATE));
}

const STATE = /^(status|state|stage|tahap|workflow|kondisi|sts|stat)$/;

const FLAG =
  /^(un|non|di)?(pub|actv?|akt|vis|publish(ed|ing|able)?|publication|publikasi|terbit(kan)?|tayang(kan)?|tampil(kan)?|aktif|(in)?active|(de)?activated|enabled?|disabled?|visible|visibility|hidden|hide|sembunyi(kan)?|showed|shown?|open|buka|closed?|tutup|live|online|listed|draf|draft|approv(ed|al)|setujui|verified|terverifikasi|verifikasi|confirmed|moderated|moderation|deleted?|hapu(s|skan)?|removed|archived?|arsip(kan)?|discarded|cancell?ed|batal(kan)?|suspended|suspend|blocked|blokir|banned|frozen|beku|trash(ed)?|void|withdrawn|retired|paused|blacklist(ed)?|expired|kadaluarsa|filled|terisi|revoked|dissolved|terminated|ended|released|rili|launched|valid|test|dummy|demo|template)$/;

/** Of a time these say when something ends or begins, and may lie ahead. */
const FUTURE = /^(open|buka|close|tutup|online|expired|kadaluarsa|valid|ended|filled|terisi|test)$/;

const NEUTRAL = new Set(
  `is has been not on in di at pada for to date time tgl tanggal waktu day flag flg fl yn status state website web site portal public
  publicly listing list search homepage page app frontend job vacancy lowongan loker posting post company perusahaan employer
  course training class kela program pelatihan record sudah telah c f x id code kode enrolment enrollment registration
  pendaftaran application`.split(/\s+/),
);

/** Whether a flag says that a record is gone, or that it is shown. */
export function means(name: string): 'deletion' | 'publication' {
  return DELETION.test(plainName(name)) ? 'deletion' : 'publication';
}

const DELETION =
  /delet|hapu|discard|archiv|arsip|trash|cancel|batal|removed|void|withdrawn|retired|deactivat|suspend|blokir|beku|block|bann|hidden|hide|sembunyi|draft|draf$|clos|tutup|unpublish|inactive|nonaktif|disabled?|blacklist|(^|_)(test|dummy|demo|template)(_|$)|paused|frozen|expired|kadaluarsa|dissol|revok|terminat|ended|filled|terisi/;
