import { stems } from './words.js';

/** How a partner's tables of an entity are called. `sure`: hardly anything else is; `maybe`: other things are, too. */
export interface EntityWords {
  readonly sure: ReturnType<typeof stems>;
  readonly maybe: ReturnType<typeof stems>;
}

export const ENTITY_WORDS: Readonly<Record<string, EntityWords>> = {
  companies: {
    sure: stems(`company, employer, perusahaan, pemberi kerja, badan usaha, firm, corporation, perseroan, dudi,
      iduka, dunia usaha, legal unit, legal entity, public body, principal, hiring organization, hiring organisation, enterprise, entreprise, entrepreneur, korporasi`),
    maybe:
      stems(`organisation, organization, organisasi, organisme, mitra, partner, business, bisnis, instansi, client, klien, vendor,
      lembaga, agency, badan, usaha, merchant, account, tenant, industri, org, orgs, institution, institusi, pt, party, legal entity, ministry, department, advertiser`),
  },
  vacancies: {
    sure: stems(`vacancy, lowongan, loker, lowker, job posting, job post, jobpost, job ad, job advert, job offer, job opening,
      job listing, job order, jobs, requisition, job requisition, job vacancy, jobad, joboffer, joborder, jobvacancy, jobopening, jobposting`),
    maybe:
      stems(`job, posting, post, position, posisi, opening, advert, advertisement, ad, listing, offer, opportunity, formasi,
      pekerjaan, jabatan, announcement, role, iklan, recruitment, rekrutmen, hiring, kebutuhan, permintaan, tender, mission`),
  },
  institutions: {
    sure: stems(`institution, institusi, training provider, training center, training centre, trainingprovider, lembaga, lpk, blk, bbplk, bbpvp,
      satpel, balai, lkp, school, sekolah, academy, akademi, provider, penyelenggara, institute, course provider, campus, kampus, university, universitas, college`),
    maybe:
      stems(`organisation, organization, organisasi, organizer, organiser, partner, mitra, organizational unit, instansi, vendor, unit, faculty, fakultas,
      satuan, org, center, centre, pusat, company, perusahaan, publisher, tenant, account, supplier, party`),
  },
  trainings: {
    sure: stems(`training, pelatihan, course, kursus, diklat, bimtek, workshop, bootcamp, course run, training class,
      kelas, class, training program, programme, course offering, course instance`),
    maybe:
      stems(`program, batch, angkatan, module, modul, offering, edition, event, lesson, session, curriculum,
      kurikulum, learning, sertifikasi, seminar, channel, package, dataset, product, jadwal, kejuruan, unit`),
  },
};

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
