import type { ConsequenceTexts } from './consequence-text.js';

/** What an approval causes, in Indonesian. */
export const INDONESIAN_CONSEQUENCES: ConsequenceTexts = {
  records: (count, entity) => `${count} ${entity}`,
  rejectedRecords: (count, entity) => `${count === null ? 'Data' : `${count} data`} ${entity} yang ditolak`,
  close: (records, status) =>
    `${records} akan DITUTUP di platform${status === null ? '' : ` (status "${status}")`}.`,
  createAgain: (records) =>
    `${records} dengan kunci baru akan DIBUAT di platform. Jika kuncinya diganti, setiap data akan ada dua kali.`,
  update: (records) => `${records} akan DITIMPA di platform dengan isi yang lain.`,
  delete: (records) => `${records} akan DIHAPUS di platform.`,
  markVanished: (records) =>
    `${records} hanya akan ditandai hilang: tidak ada yang dikirim, dan platform tetap menyimpannya.`,
  markInvalid: (records) =>
    `${records} akan ditandai tidak valid: tidak ada lagi yang dikirim, dan platform tetap menyimpan isi terakhirnya.`,
  sendAgain: (rejectedRecords) => `${rejectedRecords} akan dikirim lagi.`,
  ifApproved: 'Jika disetujui:',
  isApproved: 'Disetujui:',
};
