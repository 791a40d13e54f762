import { findStem, stems, wordsOf } from './words.js';

/** What people are called who look after records, or teach: also inside of a longer word. */
const ROLES =
  stems(`verifikator, verificator, pemverifikasi, approver, penyetuju, petugas, penanggung jawab, penanggungjawab,
  narasumber, officer, assessor, asesor, moderator, lecturer, assignee, signatory, pejabat, widyaiswara, fasilitator,
  facilitator, inspektur, inspector, evaluator, surveyor, interviewer, pewawancara`);
/** Short ones, and those with which other words begin: `tutorial`, `auditorium`, `pengawasan`, `consultancy`, `agenda`. */
const WHOLE = new Set(
  stems(
    'dosen, agent, agen, consultant, konsultan, tutor, coach, speaker, pemateri, auditor, pemeriksa, penilai, pengawas, penguji, pendamping, pembimbing, penandatangan, operator, pj',
  ).map(([word]) => word),
);
const COUNTED = /(^|_)(count|number|total|jumlah|num|qty|quantity|no_of|max|min|limit|kuota|quota)(_|$)/;

/** Whether a name is about somebody by what they do: `nama_verifikator`, not `officer_count`. */
export function isRole(name: string): boolean {
  const words = wordsOf(name);
  if (COUNTED.test(words.join('_'))) return false;
  return findStem(words, ROLES) >= 0 || words.some((word) => WHOLE.has(word));
}
