import { stems } from './words.js';

/** A table with one of these words describes something of an entity, or lists what it may be: it is not the entity. */
export const CHILD_WORDS =
  stems(`type, tipe, category, kategori, jenis, kind, status, state, skill, keahlian, keterampilan, kompetensi, competency,
  tag, label, translation, terjemahan, i18n, lang, language, locale, log, history, riwayat, audit, version, revision, archive, backup, bak, tmp, temp, old,
  view, visit, click, impression, bookmark, favorite, favourite, saved, wishlist, alert, notification, notifikasi, message, pesan, review, ulasan,
  rating, comment, komentar, attachment, lampiran, document, dokumen, media, image, gambar, file, berkas, foto, photo, video, question, pertanyaan, quiz, answer, answer,
  education, pendidikan, experience, pengalaman, certificate, sertifikat, payment, pembayaran, invoice, order item, address, alamat,
  kontak, contact, branch, cabang, location, lokasi, benefit, tunjangan, requirement, syarat, persyaratan, permission, setting, config, token, role permission, group member,
  cache, migration, stat, statistic, statistik, metric, report, laporan, queue, failed, sector, sektor, industry, bidang, level, jenjang, faq, link,
  map, mapping, rel, pivot, xref, section, prerequisite, topic, material, materi, salary, gaji, shift, schedule, holiday, size, stage, field, fields, meta, attribute,
  value, property, option, subscription, invitation, follower, keyword, url, slug, city, kota, province, provinsi, country, negara,
  region, wilayah, district, kecamatan, gender, currency, reason, template, import, export, sync, event log, job queue, content, block, assignment, grade, completion, member, line, access, quota change, instructor`);

/** What skills are called. */
export const SKILL_WORDS = stems(
  'skill, keahlian, keterampilan, kompetensi, competency, competence, ability',
);
