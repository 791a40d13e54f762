import { platformTimestamp } from '../../../core/contract/time.js';
import { derivedId } from '../store.js';

/** `cancelled`: a cancelled-notification, whose payload is not documented; this one is assumed. */
export const APPLICATION_LAYOUTS = ['applied-at', 'flat', 'cancelled'] as const;

export type ApplicationLayout = (typeof APPLICATION_LAYOUTS)[number];

interface SampleApplication {
  readonly layout: ApplicationLayout;
  /** UUID. The same one gives the same applicant. */
  readonly applicationId: string;
  readonly job: { readonly id: string; readonly title: string };
  /** Default: the sample's own. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly nowMs: number;
  /** Zone of `applied_at`. */
  readonly timeZone: string;
}

/** The body of a webhook as interface §6 shows it, with invented data. */
export function applicationPayload(application: SampleApplication): Record<string, unknown> {
  const { layout, applicationId: id, job, nowMs, timeZone } = application;
  const sample = sampleApplicant(Number.parseInt(id.replaceAll('-', '').slice(-8), 16));
  const applicant = {
    ...sample,
    name: application.name ?? sample.name,
    email: application.email ?? sample.email,
  };
  const { name, email, phone, gender, birthPlace: pob, birthDate, province, city } = applicant;
  const now = platformTimestamp(nowMs, timeZone);
  switch (layout) {
    case 'applied-at': {
      const age =
        Number(now.slice(0, 4)) -
        Number(birthDate.slice(0, 4)) -
        (now.slice(5, 10) < birthDate.slice(5) ? 1 : 0);
      const job_seeker = { name, email, phone, pob, gender, province, city, age };
      return { id, applied_at: now, job, job_seeker, ...lists(id, city) };
    }
    case 'flat':
      return { id, job, name, bod: birthDate, pob, gender, email, phone, ...lists(id, city) };
    case 'cancelled':
      return { id, canceled_at: now, job, name, email };
  }
}

function lists(applicationId: string, city: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(doneIn(city)).map(([list, done]) => [
      list,
      Array.isArray(done) ? done : [{ id: derivedId(`application/${list}`, applicationId), ...done }],
    ]),
  );
}

/** What the applicant has done so far: one record of each kind. */
function doneIn(city: string): Record<string, object> {
  return {
    experiences: {
      job: 'Staf Administrasi',
      region: city,
      company: 'CV Maju Jaya',
      job_type: 'full_time',
      start_year: 2021,
      finish_year: 2024,
      start_month: 2,
      finish_month: 11,
    },
    trainings: {
      region: city,
      vocational: 'Bisnis dan Manajemen',
      sub_vocational: 'Administrasi Perkantoran',
      training_center: 'BBPVP Bandung',
      training_program: 'Administrasi Gudang',
      start_year: 2024,
      finish_year: 2024,
      start_month: 3,
      finish_month: 4,
    },
    educations: {
      grade: '3.41',
      school: 'Universitas Padjadjaran',
      graduate: 'S1',
      activities: null,
      description: null,
      study_field: 'Manajemen',
      start_year: 2016,
      finish_year: 2020,
    },
    certifications: {
      program: 'Operator Forklift',
      scoring: 'A',
      institution: 'BNSP',
      issued_year: 2024,
      issued_month: 5,
      expire_year: 2027,
      expire_month: 5,
    },
    achievements: {
      name: 'Karyawan Teladan',
      organizer: 'CV Maju Jaya',
      description: null,
      achieved_at_year: 2023,
      achieved_at_month: 12,
    },
    skills: ['inventory_management', 'microsoft_excel'],
    languages: { name: 'Bahasa Inggris', proficiency: 'intermediate' },
  };
}

/** A person who does not exist. */
interface SampleApplicant {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly gender: 'male' | 'female';
  /** `YYYY-MM-DD`. */
  readonly birthDate: string;
  readonly birthPlace: string;
  readonly province: string;
  readonly city: string;
}

const person = (
  name: string,
  gender: SampleApplicant['gender'],
  birthDate: string,
  birthPlace: string,
  province: string,
  city: string,
): Omit<SampleApplicant, 'email' | 'phone'> => ({ name, gender, birthDate, birthPlace, province, city });

const PEOPLE = [
  person('Sari Dewi', 'female', '1997-03-08', 'Bandung', 'Jawa Barat', 'Kota Bandung'),
  person('Budi Santoso', 'male', '1998-04-23', 'Semarang', 'Jawa Tengah', 'Kota Semarang'),
  person('Putu Ayu Lestari', 'female', '2001-11-30', 'Singaraja', 'Bali', 'Kota Denpasar'),
  person('Rizky Ramadhan', 'male', '2003-12-12', 'Palembang', 'Sumatera Selatan', 'Kota Palembang'),
  person('Maria Goreti Wea', 'female', '1995-07-06', 'Ende', 'Nusa Tenggara Timur', 'Kota Kupang'),
  person('Andi Baso', 'male', '1990-02-28', 'Parepare', 'Sulawesi Selatan', 'Kota Makassar'),
  person("Nur'aini Siregar", 'female', '1999-01-17', 'Padang Sidempuan', 'Sumatera Utara', 'Kota Medan'),
  person('Yohanes Wanggai', 'male', '1993-09-21', 'Serui', 'Papua', 'Kota Jayapura'),
] as const;

/** One of a few applicants; the same number (0 or more) gives the same person, with an address that leads nowhere. */
function sampleApplicant(number: number): SampleApplicant {
  const chosen = PEOPLE[number % PEOPLE.length] ?? PEOPLE[0];
  const mailbox = chosen.name
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '.');
  return {
    ...chosen,
    email: `${mailbox}@example.com`,
    phone: `0812${String(number % 100_000_000).padStart(8, '0')}`,
  };
}
