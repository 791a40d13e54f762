import type { LedgerParentProblem } from '../../core/domain/reason.js';
import { GUARD_TEXTS } from './guard-texts.js';
import { approvalSentence, codeText, type TroubleTexts, type Words } from './consequences.js';
import { causeText } from '../../core/domain/trouble/stop-causes.js';
import { MOST_COUNTED, type TroubleOf, type WebhookRefusal } from '../../core/domain/trouble/trouble.js';

type Why = Pick<TroubleOf<'area-stopped'>, 'code' | 'cause'>;

const PARENT_IS: Readonly<Record<LedgerParentProblem, string>> = {
  'parent-absent': 'tidak ada dalam catatan',
  'parent-vanished': 'tidak ada lagi dalam kuerinya',
  'parent-invalid': 'tidak valid',
  'parent-rejected': 'ditolak',
};

const GUARDS: TroubleTexts['guards'] = {
  'other-source':
    'Baris tidak berasal dari sumber yang sama seperti sebelumnya: server, basis data, atau tabelnya lain.',
  'empty-source': 'Kueri tidak menghasilkan baris, tetapi catatan berisi data.',
  'max-vanished-percent': 'Persentase data yang sudah tidak ada di sumber terlalu besar.',
  'max-vanished-count': 'Terlalu banyak data yang sudah tidak ada di sumber.',
  'max-invalid-percent': 'Persentase data yang tidak valid terlalu besar.',
  'max-changed-percent': 'Persentase data yang berubah sekaligus terlalu besar.',
};

const ERROR_CODES: TroubleTexts['errorCodes'] = {
  'query-failed': 'Kueri gagal.',
  'column-contract':
    'Kueri tidak dapat dipakai: ada kolom yang kurang, tidak dikenal, atau ganda, atau ada kunci atau versi baris yang terlalu panjang.',
  'null-key': 'Kueri menghasilkan baris tanpa kunci.',
  'duplicate-key': 'Kueri menghasilkan kunci yang sama lebih dari sekali.',
  'key-order': 'Basis data memberikan kunci dalam urutan yang salah.',
  'row-security':
    'Keamanan tingkat baris akan menyembunyikan baris, dan baris itu akan tampak seperti dihapus.',
  'replica-lag': 'Sumber adalah replika yang tertinggal terlalu jauh.',
  'source-unavailable': 'Sumber tidak dapat dijangkau.',
  'state-unavailable': 'Basis data status tidak dapat dijangkau.',
  'state-failed': 'Basis data status menolak sebuah perintah.',
  'lease-lost': 'Proses kehilangan kendali.',
  unbalanced: 'Jumlah hitungan sinkronisasi tidak cocok.',
  'adapter-failed': 'Adaptor dalam konfigurasi gagal, sehingga tidak diketahui apa yang diminta platform.',
  'authentication-refused': 'Platform menolak kredensial kita.',
  redirected: 'Platform mengalihkan ke alamat lain. Permintaan bertanda tangan tidak pernah mengikutinya.',
  'request-refused': 'Platform menolak cara permintaan dikirim, apa pun datanya.',
  'same-refusal': 'Platform menolak semuanya, dengan alasan yang sama.',
  'breaker-open': 'Platform tidak menjawab, atau hanya dengan kesalahan.',
  'long-pause': 'Platform meminta jeda yang panjang, atau beberapa jeda berturut-turut.',
  'reply-not-understood': 'Platform menjawab berhasil, tetapi jawabannya tidak dapat dipahami.',
};

const STOP_HINTS: TroubleTexts['stopHints'] = {
  'adapter-failed': 'Perbaiki modul yang disebut platform.adapter: placement-sync config check memuatnya.',
  'authentication-refused':
    'Periksa jam mesin ini, client id dan secret, serta apakah platform mengizinkan alamat mesin ini.',
  redirected: 'Ubah base URL ke alamat yang menjawab langsung, lalu jalankan ulang worker.',
  'request-refused':
    'Pesan kesalahan menyebutkan statusnya, dan pengaturan di platform.operations atau platform.headers yang mengubah permintaan.',
  'same-refusal':
    'Baca pesan dari platform: placement-sync explain. Lalu ubah pengaturan atau kueri. Jika platform yang keliru, tidak perlu tindakan: satu permintaan akan mencoba lagi.',
  'breaker-open':
    'Kesalahan terakhir menunjukkan apakah platform sedang terganggu, apakah mesin ini dapat menjangkaunya, atau apa yang dimintanya.',
  'long-pause':
    'Worker atau proses berikutnya mencoba lagi dengan satu permintaan. Jika sering terjadi, turunkan ratePerSecond.',
  'reply-not-understood':
    'Pesan kesalahan menyebutkan bagian jawaban yang kurang, dan fungsi platform.adapter yang dapat menunjukkan letaknya.',
};

const began = (at: string | null) => (at === null ? '' : ` Sejak ${at}.`);
const limit = (setting: string | null) => (setting === null ? '' : ` Batasnya diatur dengan ${setting}.`);

/** Whose records a hold is about; empty: nobody's, or not known. */
function whose({ whose: found }: TroubleOf<'held'>, { number, entity }: Words): string {
  if (found === null) return '';
  const { parents, count, most } = found;
  const parent = entity(found.entity).toLowerCase();
  const name = most.name ?? `satu ${parent}`;
  if (parents === 1) return ` Semuanya milik ${name}.`;
  return most.count * 2 > count
    ? ` ${number(most.count)} dari ${number(count)} milik ${name}.`
    : ` Milik ${number(parents)} ${parent}.`;
}

const stays = (count: number | null, number: Words['number']) =>
  count === null ? 'Semuanya tetap menunggu.' : `${number(count)} data tetap menunggu.`;

/** Why the latest webhook was refused, and what to do. */
const REFUSALS: Readonly<Record<WebhookRefusal, readonly [string, string]>> = {
  header: [
    'salah satu dari empat header tanda tangan tidak ada',
    'Periksa apakah proxy membuang header. Log menyebut header itu.',
  ],
  signature: [
    'tanda tangannya tidak cocok dengan webhook.secrets',
    'Bandingkan webhook.secrets dengan rahasia platform, dan webhook.signedPath dengan alamat yang ditandatangani.',
  ],
  time: [
    'waktunya tidak dapat dibaca',
    'Bandingkan jam mesin ini dengan jam lain. Jika jamnya benar, log mencatat selisihnya: naikkan webhook.tolerance, atau tanyakan kepada platform.',
  ],
  size: ['isinya lebih besar dari 1 MiB', 'Tanyakan kepada platform apa yang dikirimnya.'],
  encoding: [
    'isinya dikompresi, tetapi bukan dengan gzip',
    'Minta platform mengirim gzip, atau tanpa kompresi.',
  ],
  json: [
    'isinya bukan JSON',
    'Tanyakan kepada platform apa yang dikirimnya, dan periksa apakah proxy mengubahnya.',
  ],
};

/** Why nothing is sent to an area, and what to do. */
const stopSays = ({ code, cause }: Why) => causeText(cause, 'id')?.says ?? codeText(ERROR_CODES, code) ?? '';
const stopHint = ({ code, cause }: Why) =>
  causeText(cause, 'id')?.hint ?? codeText(STOP_HINTS, code) ?? STOP_HINTS['breaker-open'];

/** Every text about troubles, in Indonesian. Names of commands and settings stay as they are. */
export const INDONESIAN_TROUBLES: TroubleTexts = {
  guards: GUARDS,
  errorCodes: ERROR_CODES,
  stopHints: STOP_HINTS,
  parentAbsent: (parent) =>
    `induknya tidak ada dalam kueri ${parent}, atau pembacaan terakhirnya belum diterapkan`,
  parentBlocked: (parent, problem) => `induknya ${PARENT_IS[problem]}: ${parent}`,
  lasts: {
    held: 'ditahan',
    'auth-refused': 'menolak permintaan kita',
    stale: 'usang',
    'webhook-refused': 'menolak yang diterimanya',
    'taken-down': 'memiliki data yang diturunkan platform',
    'area-stopped': 'tidak menerima apa pun',
    failed: 'tidak dapat dibaca',
    rejected: 'memiliki banyak data yang ditolak',
    invalid: 'memiliki banyak data yang tidak valid',
    waiting: 'memiliki banyak data yang menunggu induk',
  },
  over: {
    held: 'tidak lagi ditahan',
    'auth-refused': 'menerima permintaan kita lagi',
    stale: 'selaras lagi',
    'webhook-refused': 'menerima kiriman lagi',
    'taken-down': 'tidak lagi memiliki data yang diturunkan platform',
    'area-stopped': 'menerima data lagi',
    failed: 'dapat dibaca lagi',
    rejected: 'tidak lagi memiliki banyak data yang ditolak',
    invalid: 'tidak lagi memiliki banyak data yang tidak valid',
    waiting: 'tidak lagi memiliki banyak data yang menunggu induk',
  },
  troubles: {
    standstill: () => ({
      title: 'Tidak ada worker yang berjalan',
      sentence: 'Tidak ada proses yang memegang kendali.',
      hint: 'Jalankan worker. Jika ada cadangan yang berjalan, cadangan itu mengambil alih dalam beberapa detik.',
    }),
    interrupted: () => ({
      title: 'Dihentikan oleh sinyal',
      sentence: 'Yang diterima platform sudah tercatat.',
      hint: 'Sinkronisasi berikutnya melanjutkan dari sini.',
    }),
    'run-failed': ({ code }) => ({
      title: 'Sinkronisasi gagal',
      sentence: codeText(ERROR_CODES, code) ?? 'Kesalahan tak terduga menghentikannya.',
      hint: 'Tidak ada yang hilang, dan sinkronisasi berikutnya mencoba lagi. Jika gagal lagi, baca log.',
    }),
    'auth-refused': ({ subject, count, cause }, { area, number }) => ({
      title: `${area(subject.area)}: ${cause === null ? 'platform menolak kredensial kita' : 'permintaan kita ditolak'}`,
      sentence: `${causeText(cause, 'id')?.says ?? 'Platform tidak menerima client id atau tanda tangan kita.'} Tidak ada yang dikirim ke sana. ${stays(count, number)}`,
      hint: stopHint({ code: 'authentication-refused', cause }),
    }),
    'area-stopped': ({ subject, code, count, since, pausedUntil, cause }, { area, number, when }) =>
      pausedUntil
        ? {
            title: `${area(subject.area)}: platform meminta jeda`,
            sentence: `Tidak ada yang dikirim ke sana sampai jeda berakhir, ${when(pausedUntil)}. ${stays(count, number)}`,
            hint: 'Tidak perlu tindakan. Setelah jeda, worker atau proses berikutnya mengirimnya. Untuk mencoba lebih awal, jalankan placement-sync retry.',
          }
        : {
            title: `${area(subject.area)}: pengiriman berhenti`,
            sentence:
              `${stopSays({ code, cause })}${since ? ` Mulai ${when(since)}.` : ''} ${stays(count, number)}`.trim(),
            hint: stopHint({ code, cause }),
          },
    'in-doubt': ({ entities, since }, { entity, when }) => ({
      title: 'Basis data status dipulihkan atau beralih server',
      sentence: `${since ? `Diketahui ${when(since)}. ` : ''}Isi di platform mungkin berbeda dari catatan: ${entities.map((one) => entity(one.entity)).join(', ')}.`,
      hint: 'Bandingkan semua data dengan platform; data yang berbeda dikirim lagi. Untuk data yang tidak dapat dibaca dari platform, gunakan resync.',
    }),
    'webhook-refused': ({ count, since, lastAt, reason, offsetMs }, { number, when, span }) => ({
      title: 'Webhook ditolak',
      sentence: [
        `${number(count ?? 0)} ditolak${since ? `, yang pertama ${when(since)}` : ''}, dan sesudahnya tidak ada yang diterima: lamaran kerja mungkin hilang.`,
        `Yang terakhir datang ${when(lastAt)}: ${
          offsetMs === null
            ? REFUSALS[reason][0]
            : `waktunya ${span(Math.abs(offsetMs))} ${offsetMs < 0 ? 'di belakang' : 'di depan'} jam mesin ini`
        }.`,
      ].join(' '),
      hint: REFUSALS[reason][1],
    }),
    held: (trouble, words) => ({
      title: `${words.entity(trouble.subject.entity)}: ditahan`,
      sentence: [
        `${GUARDS[trouble.guard]} Tidak ada lagi di sumber: ${words.number(trouble.counts.vanished)}.`,
        ` Baru tidak valid: ${words.number(trouble.counts.invalid)}.`,
        ...(trouble.counts.changed ? [` Berubah: ${words.number(trouble.counts.changed)}.`] : []),
        ...(trouble.counts.renewed
          ? [` Kunci baru: ${words.number(trouble.counts.renewed)}. Apakah kuncinya diganti?`]
          : []),
        whose(trouble, words),
        `${limit(GUARD_TEXTS[trouble.guard].setting)}`,
        ` Pembacaan itu tidak diterapkan.${began(trouble.since && words.when(trouble.since))}`,
        approvalSentence(trouble, 'id', words),
      ].join(''),
      hint: trouble.approved
        ? 'Sudah disetujui. Sinkronisasi berikutnya menerapkannya, kecuali jumlahnya lebih dari ini.'
        : trouble.guard === 'other-source'
          ? 'Salinan, atau basis data milik pihak lain: kembalikan source.url, maka sinkronisasi berikutnya melepaskannya. Basis data Anda dipindahkan atau dipulihkan: setujui.'
          : 'Jika ini benar, setujui. Jika tidak, perbaiki kueri atau sumber; sinkronisasi berikutnya memeriksa lagi.',
    }),
    'push-held': (trouble, words) => ({
      title: `${words.entity(trouble.subject.entity)}: ditahan`,
      sentence: [
        `Platform menolak ${words.number(trouble.count ?? 0)} data berturut-turut dan tidak menerima satu pun, jadi tidak ada lagi yang dikirim.`,
        limit(GUARD_TEXTS[trouble.guard].setting),
        began(trouble.since && words.when(trouble.since)),
        approvalSentence(trouble, 'id', words),
      ].join(''),
      hint: 'Perbaiki hal yang ditolak platform, lalu setujui.',
    }),
    failed: ({ subject, code }, { entity }) => ({
      title: `${entity(subject.entity)}: tidak dapat dibaca oleh sinkronisasi terakhir`,
      sentence: `${codeText(ERROR_CODES, code) ?? ''} Tidak ada yang diterapkan.`.trim(),
      hint: 'Perbaiki kueri atau sumber. Sinkronisasi berikutnya mencoba lagi.',
    }),
    stale: (
      { subject, since, afterMs, held, keptBack, lastErrorCode, deferred, byWorker, stop },
      { entity, when, span },
    ) => ({
      title: `${entity(subject.entity)}: sudah lama tidak berhasil`,
      sentence: [
        since ? `Terakhir berhasil ${when(since)};` : 'Belum pernah berhasil;',
        `lebih dari ${span(afterMs)} dianggap usang.`,
        ...(held
          ? ['Entitas ini ditahan.']
          : stop
            ? [`Tidak ada yang dikirim ke areanya. ${stopSays(stop)}`.trim()]
            : lastErrorCode
              ? [`Kesalahan terakhir: ${lastErrorCode}.`]
              : []),
        ...(keptBack ? ['Banyak datanya tidak dapat dikirim sebelum diperbaiki.'] : []),
        ...(deferred
          ? [
              `Ada data yang ditunda${deferred.since ? `; yang terlama perlu dikirim sejak ${when(deferred.since)}` : ''}; percobaan terakhir ${deferred.statusCode === null ? 'tidak dijawab' : `dijawab HTTP ${deferred.statusCode}`}.`,
            ]
          : []),
      ].join(' '),
      hint: held
        ? 'Perbaiki penyebabnya, atau setujui.'
        : stop
          ? stopHint(stop)
          : deferred
            ? 'Lihat data yang ditunda: setiap data menyebut kesalahan terakhirnya.'
            : keptBack
              ? 'Perbaiki yang disebut oleh status.'
              : byWorker
                ? 'Log worker menyebutkan apa yang terjadi pada sinkronisasi terakhirnya; doctor memeriksa sumber dan platform sekarang.'
                : 'Satu sinkronisasi menunjukkan apa yang menahannya. Jika worker atau jadwal seharusnya menjalankannya, periksa apakah itu berjalan.',
    }),
    slow: ({ subject, ms, usualMs }, { entity, span }) => ({
      title: `${entity(subject.entity)}: pembacaan lambat`,
      sentence: `Sinkronisasi terakhir membaca selama ${span(ms)}, biasanya ${span(usualMs)}.`,
      hint: 'Periksa rencana kueri (EXPLAIN), indeksnya, dan beban sumber.',
    }),
    rejected: ({ subject, count, share }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} ditolak`,
      sentence: share
        ? `Platform menolak ${share.rejected > MOST_COUNTED ? `lebih dari ${number(MOST_COUNTED)}` : number(share.rejected)} ${share.of > MOST_COUNTED ? 'data' : `dari ${number(share.of)} data`}${share.statusCode === null ? '' : `, kebanyakan dengan HTTP ${share.statusCode}`}. Data ini dikirim lagi bila isinya berubah, atau bila Anda mencoba ulang.`
        : 'Platform menolaknya. Data ini dikirim lagi bila isinya berubah, atau bila Anda mencoba ulang.',
      hint: 'Perbaiki sumber: sinkronisasi berikutnya mengirim data yang berubah. Jika platform yang keliru, atau Anda mengubah pengaturan, coba ulang.',
    }),
    'taken-down': ({ subject, count, refused, removed }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} diturunkan`,
      sentence: `Platform sudah menerimanya, lalu menampilkan ${number(refused)} sebagai ditolak dan ${number(removed)} sebagai dihapus. Semuanya tidak tayang.`,
      hint: 'Tanyakan alasannya kepada platform. Yang ditolak dikirim lagi bila berubah, yang dihapus hanya bila Anda memintanya.',
    }),
    drifted: ({ subject, count, since }, { entity, number, when }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} berbeda di platform`,
      sentence: `Pembacaan ulang${since ? ` (${when(since)})` : ''} menemukan bahwa platform tidak memilikinya atau menyimpan isi lain dari yang diterimanya.`,
      hint: 'Lihat salah satunya di platform. Lalu bandingkan semua data; yang berbeda atau tidak ada dikirim lagi. Jika platform tidak menunjukkan satu pun, periksa dulu alamat Find.',
    }),
    unmapped: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} kode tanpa id`,
      sentence: 'Data dengan kode itu tidak dikirim.',
      hint: 'Isi id di berkas lookup. Sinkronisasi berikutnya membacanya.',
    }),
    invalid: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} tidak valid`,
      sentence: 'Barisnya mengandung kesalahan, jadi tidak dikirim.',
      hint: 'Perbaiki sumber atau kueri. Sinkronisasi berikutnya mengirim data yang sudah valid.',
    }),
    blocked: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} menunggu induk yang bermasalah`,
      sentence: 'Platform menerimanya hanya setelah induknya.',
      hint: 'Perbaiki induknya. Data yang menunggu kemudian dikirim.',
    }),
    deferred: ({ subject, count, since, conflict, byWorker }, { entity, number, when }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} ditunda`,
      sentence: [
        'Percobaan terakhir gagal.',
        ...(since ? [`Yang terlama perlu dikirim sejak ${when(since)}.`] : []),
        byWorker ? 'Worker mencoba lagi dengan sendirinya.' : 'Sinkronisasi berikutnya mencoba lagi.',
      ].join(' '),
      hint:
        conflict === null
          ? 'Tidak perlu tindakan. Jika jumlahnya terus bertambah, periksa apakah platform sedang terganggu.'
          : `Platform menjawab (HTTP ${conflict}) dan tidak menerima yang terakhir. Baca pesannya dan artinya: placement-sync explain.`,
    }),
  },
};
