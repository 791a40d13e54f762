import type { Translated } from './texts.js';
import type { ENGLISH_CODES } from './english-codes.js';

/** What the program has a code for, in Indonesian. */
export const INDONESIAN_CODES: Translated<typeof ENGLISH_CODES> = {
  guards: {
    'empty-source': 'Kueri tidak menghasilkan apa pun, padahal sebelumnya ada data.',
    'max-vanished-percent': 'Porsi data yang sudah tidak ada di sumber terlalu besar.',
    'max-vanished-count': 'Terlalu banyak data yang sudah tidak ada di sumber.',
    'max-invalid-percent': 'Porsi data yang tidak valid terlalu besar.',
    'max-rejected-in-a-row': 'Platform menolak data berturut-turut; pengiriman entitas ini dihentikan.',
  },
  issueCodes: {
    required: 'tidak ada isinya',
    format: 'penulisannya tidak sesuai',
    type: 'jenisnya berbeda',
    range: 'di luar batas',
    unmapped: 'kodenya tidak ada di lookup',
    undecided: 'kodenya belum memiliki id',
    'unknown-parent': 'induknya tidak dikenal',
    refused: 'ditolak',
  },
  errorCodes: {
    'query-failed': 'Kueri gagal.',
    'column-contract': 'Kolom kueri tidak sesuai: ada yang berlebih, ganda, atau kurang.',
    'null-key': 'Kueri menghasilkan baris tanpa kunci.',
    'duplicate-key': 'Kueri menghasilkan data yang sama lebih dari sekali.',
    'key-order': 'Basis data memberikan kunci dalam urutan lain daripada yang diminta.',
    'row-security': 'Keamanan tingkat baris menyembunyikan baris, sehingga baris itu tampak seperti dihapus.',
    'source-unavailable': 'Sumber tidak dapat dijangkau.',
    'authentication-refused': 'Platform tidak menerima permintaan kita (401 atau 403).',
    redirected: 'Platform mengalihkan ke alamat lain, yang tidak pernah diikuti permintaan bertanda tangan.',
    'breaker-open': 'Platform tidak menjawab sebagaimana mestinya.',
    'long-pause': 'Platform meminta jeda yang panjang, atau jeda berkali-kali.',
  },
  areaCures: {
    'authentication-refused':
      'Periksa jam mesin ini, client id dan secret, serta apakah platform mengizinkan alamat mesin ini.',
    redirected: 'Ubah base URL ke alamat yang menjawab langsung, lalu jalankan ulang worker.',
    'breaker-open':
      'Periksa apakah platform memang sedang terganggu, dan apakah mesin ini dapat menjangkaunya.',
    'long-pause': 'Tunggu. Jika sering terjadi, turunkan ratePerSecond.',
  },
};
