import type { ENGLISH_REPORT } from './english-report.js';
import type { Translated } from './texts.js';

/** Texts about the journal of what was sent, in Indonesian. */
export const INDONESIAN_REPORT: Translated<typeof ENGLISH_REPORT> = {
  title: 'Laporan',
  titleOf: (from, to) => `Laporan, ${from} sampai ${to}`,
  explanation:
    'Permintaan menurut jawaban platform. Diterima adalah jumlah dari baru, diperbarui, ditutup, dan dihapus.',
  daysIn: (zone) => `Hari dalam zona ${zone}`,
  platform: 'Platform',
  madeAt: 'Dibuat pada',
  from: 'Dari',
  to: 'Sampai',
  allEntities: 'Semua',
  totals: 'Secara keseluruhan',
  byDay: 'Per hari, perusahaan, dan lembaga',
  day: 'Hari',
  parent: 'Perusahaan atau lembaga',
  updated: 'Diperbarui',
  closed: 'Ditutup',
  deleted: 'Dihapus',
  failed: 'Gagal',
  nothing: {
    all: 'Tidak ada yang dikirim pada hari-hari ini.',
    part: 'Dari bagian hari-hari ini yang diketahui jurnal: tidak ada yang dikirim.',
    none: 'Jurnal tidak mengetahui hari-hari ini, jadi tidak dapat dikatakan apakah ada yang dikirim.',
  },
  noBeginning: 'Jurnal tidak mengetahui kapan jurnal ini dimulai, jadi laporan ini tidak lengkap.',
  begins: (time) => `Jurnal dimulai ${time}. Waktu sebelumnya tidak diketahui.`,
  incomplete: (from, to) =>
    `Dari ${from} sampai ${to} jurnal tidak lengkap: basis data status dipulihkan ke keadaan lama.`,
  expired: (count) =>
    `${count} berakhir dengan sendirinya karena hari terakhirnya sudah lewat. Tidak ada yang dikirim tentang itu.`,
  more: (count) => `${count} baris lagi tidak ditampilkan di sini. Di terminal, semuanya:`,

  run: (time) => `Sinkronisasi ${time}`,
  ofRun: 'Permintaan',
  ofRunHint: 'Untuk sinkronisasi oleh worker: yang dikirimnya sampai sinkronisasi berikutnya mulai.',
  runNothing: 'Jurnal tidak memiliki permintaan dari sinkronisasi ini.',
  noRun: 'Sinkronisasi tidak ditemukan',
  noRunReason: 'Riwayat tidak memiliki sinkronisasi ini. Sinkronisasi dihapus setelah state.retention.',

  timeline: 'Permintaan tentang data ini',
  timelineNothing: 'Jurnal tidak memiliki permintaan tentang data ini.',
  earlier: (count) => `${count} permintaan sebelumnya tidak ditampilkan di sini. Di terminal, semuanya:`,
  changes: 'Berubah sejak diterima platform',
  before: 'Diterima',
  now: 'Diinginkan',
  empty: 'kosong',

  answeredAt: 'Dijawab',
  record: 'Data',
  operation: 'Operasi',
  answer: 'Jawaban',
  outcomes: {
    accepted: 'diterima',
    rejected: 'ditolak',
    deferred: 'ditunda',
    'handed-back': 'dikembalikan',
    unknown: 'tidak diketahui',
  },
  kinds: { new: 'baru', update: 'pembaruan', close: 'penutupan', delete: 'penghapusan' },
};
