import { platformTimestamp } from '../../contract/time.js';
import { derivedId } from '../derived-id.js';
import { sampleApplicant } from './sample-applicant.js';

/** `cancelled`: a cancelled-notification, whose payload is not documented; this one is assumed. */
export const APPLICATION_LAYOUTS = ['applied-at', 'flat', 'cancelled'] as const;

export type ApplicationLayout = (typeof APPLICATION_LAYOUTS)[number];

export interface SampleApplication {
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

/** The body of a webhook as interface §6 shows it, with invented data. Pure. */
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

/** What the applicant has done so far: one record of each kind. */
function lists(applicationId: string, city: string): Record<string, unknown> {
  const id = (list: string): string => derivedId(`application/${list}`, applicationId);
  return {
    experiences: [
      {
        id: id('experiences'),
        job: 'Staf Administrasi',
        region: city,
        company: 'CV Maju Jaya',
        job_type: 'full_time',
        start_year: 2021,
        finish_year: 2024,
        start_month: 2,
        finish_month: 11,
      },
    ],
    trainings: [
      {
        id: id('trainings'),
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
    ],
    educations: [
      {
        id: id('educations'),
        grade: '3.41',
        school: 'Universitas Padjadjaran',
        graduate: 'S1',
        activities: null,
        description: null,
        study_field: 'Manajemen',
        start_year: 2016,
        finish_year: 2020,
      },
    ],
    certifications: [
      {
        id: id('certifications'),
        program: 'Operator Forklift',
        scoring: 'A',
        institution: 'BNSP',
        issued_year: 2024,
        issued_month: 5,
        expire_year: 2027,
        expire_month: 5,
      },
    ],
    achievements: [
      {
        id: id('achievements'),
        name: 'Karyawan Teladan',
        organizer: 'CV Maju Jaya',
        description: null,
        achieved_at_year: 2023,
        achieved_at_month: 12,
      },
    ],
    skills: ['inventory_management', 'microsoft_excel'],
    languages: [{ id: id('languages'), name: 'Bahasa Inggris', proficiency: 'intermediate' }],
  };
}
