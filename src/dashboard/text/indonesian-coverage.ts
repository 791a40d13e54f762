import type { ENGLISH_COVERAGE } from './english-coverage.js';
import type { Translated } from './texts.js';

/** Texts of the page about the platform's interface, in Indonesian. */
export const INDONESIAN_COVERAGE: Translated<typeof ENGLISH_COVERAGE> = {
  title: 'Cakupan',
  heading: 'Apa yang diasumsikan tentang platform, dan apa yang teramati',
  explanation:
    'Separuh dari antarmuka adalah asumsi. Kontak pertama dengan satu perusahaan dan satu lowongan menunjukkan apa yang dilakukan platform ini secara berbeda:',
  observedOf: (environment) => `Teramati pada ${environment.replace(' as ', ' sebagai ')}`,
  assumption: 'Asumsi',
  result: 'Hasil',
  seen: 'Yang terlihat',
  setting: 'Pengaturan',
  observedAt: 'Diamati',
  results: { confirmed: 'terbukti', differs: 'berbeda', unknown: 'tidak diketahui' },
  notObserved: 'belum diamati',
  noArea: 'Konfigurasi tidak memiliki area penempatan kerja, jadi tidak ada yang dapat diamati.',
  assumptions: {
    reachable: 'Base URL menjawab langsung, melalui koneksi yang dipercaya oleh mesin ini.',
    clock: 'Selisih jam mesin ini dan jam platform kurang dari satu menit.',
    'wrong-signature': 'Tanda tangan yang benar diterima, dan yang salah dijawab dengan 401 atau 403.',
    'unknown-id':
      'Find untuk id yang tidak dimiliki data mana pun dijawab dengan 404, atau dengan hasil kosong.',
    'put-status':
      'Put yang berhasil dijawab dengan 200 atau 201, atau dengan status yang diterima oleh pengaturan.',
    envelope: 'Hasil Put berupa objek, di dalam data atau di tempat yang disebut platform.replies.data.',
    reference: 'Jawaban atas Put memuat reference perusahaan, sebagai teks atau bilangan bulat.',
    'find-shape': 'Find menampilkan apa yang telah dikirim, pada kolom-kolom yang disebut dalam kontrak.',
    'same-reference': 'Setiap Put dari satu perusahaan memberi reference yang sama.',
    'absent-field': 'Put mengganti seluruh data: kolom yang tidak diisi dikosongkan.',
    'parent-reference': 'Lowongan diterima dengan reference perusahaan sebagai employer.id.',
    'request-id-reuse': 'Request-Id yang sudah pernah dipakai dijawab dengan 409, atau seperti yang pertama.',
    'rate-headers':
      'Platform menerima permintaan sebanyak yang diizinkan ratePerSecond, dan tidak mengumumkan batas yang lebih rendah.',
  },
};
