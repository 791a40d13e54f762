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
  nothing: 'Tidak ada yang dikirim pada hari-hari ini.',
  expired: (count) =>
    `${count} berakhir dengan sendirinya karena hari terakhirnya sudah lewat. Tidak ada yang dikirim tentang itu.`,
  more: (count) => `${count} baris lagi tidak ditampilkan di sini. Di terminal, semuanya:`,

  run: (time) => `Sinkronisasi ${time}`,
  ofRun: 'Permintaan',
  ofRunHint: 'Untuk sinkronisasi oleh worker: yang dikirimnya sampai sinkronisasi berikutnya mulai.',
  runNothing: 'Tidak ada yang dikirim.',
  noRun: 'Sinkronisasi tidak ditemukan',
  noRunReason: 'Riwayat tidak memiliki sinkronisasi ini. Sinkronisasi dihapus setelah state.retention.',

  timeline: 'Permintaan tentang data ini',
  timelineNothing: 'Belum ada yang dikirim.',
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
