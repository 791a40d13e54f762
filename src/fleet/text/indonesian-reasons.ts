import type { ReasonTexts } from './fleet-texts.js';

/** Why a tenant stands as it does: cause, then hint. In Indonesian. Names of commands and settings stay as they are. */
export const INDONESIAN_REASONS: ReasonTexts = {
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
  paused: (name) => `Sedang dijeda. Berjalan lagi setelah: placement-sync fleet resume ${name}`,
  disabled: (name) =>
    `Berkasnya menyatakan tidak aktif. Ubah tenant.enabled di ${name}.yaml dan terapkan: placement-sync fleet apply DIR`,
};
