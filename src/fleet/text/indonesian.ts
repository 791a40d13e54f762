import type { Language } from '../../domain/names.js';
import { ENGLISH_FLEET, type FleetTexts, type ReasonTexts } from './english.js';

/** Why a tenant stands as it does: cause, then hint. In Indonesian. Names of commands and settings stay as they are. */
const INDONESIAN_REASONS: ReasonTexts = {
  failed: (exitCode, message) =>
    message === null
      ? `Sinkronisasi terakhir berakhir dengan kode keluar ${exitCode}.`
      : `Sinkronisasi terakhir gagal (kode keluar ${exitCode}): ${message}`,
  failedHints: {
    1: () => 'Sinkronisasi berikutnya mencoba lagi dengan sendirinya.',
    2: (name) => `Perbaiki ${name}.yaml dan terapkan: placement-sync fleet apply DIR`,
    5: () => 'Tidak ada yang hilang. Periksa kredensialnya, atau tunggu platform.',
    6: () =>
      'Periksa apakah worker atau CronJob menyinkronkannya di samping armada. Setelah proses dimatikan paksa, kendali berakhir dengan sendirinya.',
  },
  otherHint: (name) =>
    `Lihat keadaannya, dengan state.url dan state.schema di dalam berkas: placement-sync status --config ${name}.yaml`,
  toCorrect: (name) =>
    `Sebagian datanya perlu diperbaiki. Daftarnya, dengan state.url dan state.schema di dalam berkas: placement-sync status --invalid --config ${name}.yaml`,
  held: (name) =>
    `Pengaman menahan perubahan yang tampak salah. Baca alasannya, lalu perbaiki sumber atau setujui, dengan state.url dan state.schema di dalam berkas: placement-sync status --config ${name}.yaml`,
  staleNeverRan:
    'Belum ada replika yang menjalankannya sejak ditambahkan. Periksa apakah ada replika yang berjalan: placement-sync fleet status',
  staleSending: (left) =>
    `Pengirimannya masih berjalan, potongan demi potongan${left === null ? '' : ` (${left} tersisa)`}. Jika terlalu lama, mintalah laju yang lebih tinggi kepada platform.`,
  staleReading: (name) =>
    `Membaca sumbernya lebih lama dari satu potongan, atau tidak selesai. Gilirannya kini di antara tenant besar. Cari kueri yang lambat atau kunci, dengan state.url dan state.schema di dalam berkas: placement-sync doctor --config ${name}.yaml`,
  staleUnderWay: (replica) =>
    `${replica} sedang menjalankannya, tetapi tidak ada sinkronisasi yang berhasil selama tiga periode. Beri periode yang lebih panjang bila perlu.`,
  staleNobody:
    'Tidak ada sinkronisasi yang berakhir baik selama tiga periode, dan tidak ada yang gagal. Periksa apakah replika berjalan dan pekerjaan tidak menumpuk.',
  running: (replica) => `${replica} sedang menjalankannya.`,
  waiting: (name) =>
    `Belum pernah dijalankan. Replika mengambilnya dalam satu periode; segera dengan: placement-sync fleet sync ${name}`,
  moving: (name, to) =>
    `Catatannya dipindahkan ke ${to}. Jika tidak ada pemindahan yang berjalan, pemindahan itu terputus: placement-sync fleet move ${name} --to ${to}`,
  otherVersion: (cause) =>
    `Pembaruan armada sedang berlangsung. ${cause} Setelah itu tenant ini berjalan lagi dengan sendirinya.`,
  waitsFor: (other) =>
    `Replika berakhir saat ia berjalan, jadi ia hanya boleh berjalan sendirian. Ia menunggu sampai ${other}, yang memegang tempat itu, lewat atau selesai: paling lama satu menit.`,
  paused: (name) => `Sedang dijeda. Berjalan lagi setelah: placement-sync fleet resume ${name}`,
  disabled: (name) =>
    `Berkasnya menyatakan tidak aktif. Ubah tenant.enabled di ${name}.yaml dan terapkan: placement-sync fleet apply DIR`,
};

/** Every text of the fleet's pages that the dashboard of a worker does not have, in Indonesian. */
const INDONESIAN_FLEET: FleetTexts = {
  reasons: INDONESIAN_REASONS,
  title: 'Armada',
  tenants: 'Tenant',
  tenant: 'Tenant',
  state: 'Keadaan',
  states: {
    failing: 'gagal',
    stale: 'usang',
    'needs-correction': 'perlu diperbaiki',
    running: 'sedang berjalan',
    waiting: 'menunggu',
    paused: 'dijeda',
    disabled: 'tidak aktif',
    ok: 'selaras',
  },
  stateMeanings: {
    failing: 'Sinkronisasi terakhir gagal.',
    stale: 'Tidak ada sinkronisasi yang berhasil selama tiga periode.',
    'needs-correction':
      'Sinkronisasi terakhir menyisakan data yang harus diperbaiki orang, atau pengaman menahan sebuah entitas.',
    running: 'Sebuah replika sedang menjalankannya.',
    waiting: 'Belum pernah dijalankan, atau catatannya pada versi lain daripada sebuah replika.',
    paused: 'Tidak berjalan: seseorang menjedanya.',
    disabled: 'Tidak berjalan: berkasnya menyatakan demikian.',
    ok: 'Sinkronisasi terakhir berakhir baik.',
  },
  verdicts: {
    failing: (count) => `${count} tenant memerlukan perhatian`,
    fine: 'Tidak ada tenant yang memerlukan perhatian',
    empty: 'Belum ada tenant',
  },
  emptyHint: 'Satu tenant adalah satu berkas. Tambahkan dengan:',
  counts: 'Tenant menurut keadaan',
  pending: 'Data yang akan dikirim',
  jobs: 'Pekerjaan',
  jobsUnknown: 'Tabel antrean tidak dapat dibaca. Replika membuatnya saat mulai berjalan.',
  lane: 'Jalur',
  ready: 'Menunggu',
  active: 'Sedang berjalan',
  longestWait: 'Tunggu slot terlama',
  replicas: 'Replika yang sedang bekerja',
  replicasNone: 'Saat ini tidak ada replika yang menjalankan tenant.',
  replica: 'Replika',
  period: 'Periode',
  schema: 'Skema catatan',
  ledger: 'Basis data catatan',
  since: 'Sejak',
  lastRun: 'Sinkronisasi terakhir',
  noRun: 'Belum ada sinkronisasi.',
  why: 'Mengapa',
  message: 'Pesan',
  ended: 'Selesai',
  took: 'Lama',
  slice: 'potongan waktu habis, masih ada sisa',
  nameContaining: 'Nama berisi',
  anyState: 'semua',
  shown: (from, to, all) => `${from} sampai ${to} dari ${all}`,
  noMatch: 'Tidak ada tenant yang cocok.',
  previous: 'Halaman sebelumnya',
  commands: 'Perintah',
  commandMeanings: {
    sync: 'Menjalankannya segera',
    pause: 'Tidak memulai sinkronisasi lagi',
    resume: 'Menjalankannya lagi',
    status:
      'Datanya dan apa yang salah, di tempat berkasnya berada. Berkas itu memerlukan state.url dan state.schema',
    apply: 'Menerapkan perubahan berkas, di tempat berkas berada',
  },
  notFound: 'Tenant tidak ditemukan',
  notFoundReason: 'Tidak ada tenant dengan nama ini, atau tenant itu sudah dihapus.',
  unavailableHint:
    'Periksa apakah basis data berjalan dan fleet.database.url benar. Setelah itu halaman ini berfungsi lagi.',
};

/** The texts of the fleet's pages by language. */
export const FLEET_TEXTS: Readonly<Record<Language, FleetTexts>> = {
  en: ENGLISH_FLEET,
  id: INDONESIAN_FLEET,
};
