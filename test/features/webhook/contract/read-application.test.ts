import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appliedAtApplication, flatApplication } from '../../../../src/features/webhook/contract/events.js';
import { readApplication, readEvents } from '../../../../src/features/webhook/contract/read-application.js';
import { readFixture } from '../../../core/contract/fixtures.js';

type Payload = Record<string, unknown>;

const payload = (name: string): Payload => readFixture(`webhooks/${name}.json`) as Payload;
const without = (from: Payload, ...fields: string[]): Payload =>
  Object.fromEntries(Object.entries(from).filter(([field]) => !fields.includes(field)));

const appliedAt = payload('applied-at');
const flat = payload('flat');
const seeker = appliedAt.job_seeker as Payload;

const lists = {
  skills: ['forklift_operation', 'inventory_management'],
  experiences: appliedAt.experiences,
  trainings: appliedAt.trainings,
  educations: appliedAt.educations,
  certifications: appliedAt.certifications,
  achievements: appliedAt.achievements,
  languages: appliedAt.languages,
};

const nothing = {
  layout: 'unrecognised',
  applicationId: null,
  jobId: null,
  jobTitle: null,
  name: null,
  email: null,
  phone: null,
  gender: null,
  birthDate: null,
  birthPlace: null,
  age: null,
  province: null,
  city: null,
  appliedAt: null,
  skills: [],
  experiences: [],
  trainings: [],
  educations: [],
  certifications: [],
  achievements: [],
  languages: [],
};

describe('a new application, written by hand from the interface', () => {
  it('is read from the layout with applied_at', () => {
    expect(readApplication(appliedAt)).toEqual({
      layout: 'applied-at',
      applicationId: '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
      jobId: '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21',
      jobTitle: 'Staf Gudang',
      name: 'Sari Dewi',
      email: 'sari.dewi@example.com',
      phone: '081234567890',
      gender: 'female',
      birthDate: null,
      birthPlace: 'Bandung',
      age: 29,
      province: 'Jawa Barat',
      city: 'Kota Bandung',
      appliedAt: '2026-02-14 09:12:45',
      ...lists,
    });
  });

  it('is read from the flat layout', () => {
    expect(readApplication(flat)).toEqual({
      layout: 'flat',
      applicationId: '2fee0a04-02b4-46ee-8ae5-cd5edab182e1',
      jobId: '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21',
      jobTitle: 'Staf Gudang',
      name: 'Budi Santoso',
      email: 'budi.santoso@example.com',
      phone: '081298765432',
      gender: 'male',
      birthDate: '1998-04-23',
      birthPlace: 'Semarang',
      age: null,
      province: null,
      city: null,
      appliedAt: null,
      ...lists,
    });
  });

  it('is valid by the schema of its own layout, and not by the other', () => {
    expect(appliedAtApplication.safeParse(appliedAt).success).toBe(true);
    expect(flatApplication.safeParse(flat).success).toBe(true);
    expect(appliedAtApplication.safeParse(flat).success).toBe(false);
    expect(flatApplication.safeParse(appliedAt).success).toBe(false);
  });
});

describe('an odd field', () => {
  it.each<[string, Payload, Payload]>([
    ['an id in capitals', { id: '1EDD9893-F1A3-45DD-89D4-BC4DC9A071D0' }, { layout: 'applied-at' }],
    ['no lists', { experiences: null, skills: undefined }, { experiences: [], skills: [] }],
    ['a list that is none', { trainings: 'none' }, { trainings: [] }],
    ['skills that are no text', { skills: ['kasir', null, {}, ''] }, { skills: ['kasir'] }],
    ['a time with zone', { applied_at: '2026-02-14T09:12:45Z' }, { appliedAt: null }],
    ['a time that does not exist', { applied_at: '2026-02-30 09:12:45' }, { appliedAt: null }],
    ['applied_at null', { applied_at: null }, { layout: 'applied-at', appliedAt: null }],
    ['a job without id', { job: { title: 'Kasir' } }, { jobId: null, jobTitle: 'Kasir' }],
    ['age as text', { job_seeker: { ...seeker, age: '29' } }, { age: 29 }],
    ['an age beyond life', { job_seeker: { ...seeker, age: 2 ** 40 } }, { age: null }],
    ['an age in parts', { job_seeker: { ...seeker, age: 29.5 } }, { age: null }],
    ['phone as a number', { job_seeker: { ...seeker, phone: 6281234 } }, { phone: '6281234' }],
    ['a blank name', { job_seeker: { ...seeker, name: ' ' } }, { name: null }],
    ['a text with U+0000', { job_seeker: { ...seeker, name: 'Sa\u0000ri' } }, { name: 'Sari' }],
    ['half a surrogate pair', { job_seeker: { ...seeker, city: 'x\ud83d' } }, { city: 'x\ufffd' }],
    ['a cancellation that is not one', { canceled_at: null }, { layout: 'applied-at' }],
    ['fields that nobody knows', { score: 7, source: { a: 1 } }, { layout: 'applied-at' }],
    ['the name of this event', { event: 'New Job Application' }, { layout: 'applied-at' }],
  ])('does not lose the application: %s', (_name, changes, expected) => {
    expect(readApplication({ ...appliedAt, ...changes })).toMatchObject({
      applicationId: '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
      ...expected,
    });
  });

  it.each<[unknown, string | null]>([
    ['1998-04-23', '1998-04-23'],
    ['1998-04-23 00:00:00', '1998-04-23'],
    ['1998-04-23T00:00:00+07:00', '1998-04-23'],
    ['1998-02-29', null],
    ['0000-00-00', null],
    ['23/04/1998', null],
    ['', null],
    [null, null],
    [893289600, null],
  ])('date of birth %o is %o', (bod, birthDate) => {
    expect(readApplication({ ...flat, bod })).toMatchObject({ layout: 'flat', birthDate });
  });

  it('makes no difference to the stored lists but for text that Postgres cannot hold', () => {
    const experiences = [{ id: 1, job: 'a\u0000b', nested: [{ ok: true }] }, 'text', null];
    expect(readApplication({ ...flat, experiences }).experiences).toEqual([
      { id: 1, job: 'ab', nested: [{ ok: true }] },
      'text',
      null,
    ]);
  });

  it('lets a flat application have applied_at', () => {
    expect(readApplication({ ...flat, applied_at: '2026-02-14 09:12:45' })).toMatchObject({
      layout: 'flat',
      appliedAt: '2026-02-14 09:12:45',
    });
  });

  it('needs no applied_at in the layout that is named after it', () => {
    expect(readApplication(without(appliedAt, 'applied_at'))).toEqual({
      ...readApplication(appliedAt),
      appliedAt: null,
    });
  });

  it('needs no more of the flat layout than name and one field of the applicant', () => {
    expect(readApplication({ id: flat.id, job: flat.job, name: 'Budi', bod: null }).layout).toBe('flat');
  });
});

describe('unrecognised', () => {
  it.each<[string, unknown]>([
    ['a cancelled notification', payload('cancelled')],
    ['a cancelled notification with job_seeker', { ...appliedAt, cancelled_at: '2026-02-15 10:00:00' }],
    ['a cancellation by status', { ...flat, status: 'canceled' }],
    ['a cancellation in Indonesian', { ...flat, alasan_pembatalan: 'dapat kerja' }],
    ['another event', { ...appliedAt, event: 'job-application-canceled' }],
    ['applied_at without an applicant', without(appliedAt, 'job_seeker')],
    ['neither applied_at nor name', without(flat, 'name')],
    ['a name and nothing of an applicant', { id: flat.id, job: flat.job, name: 'Budi' }],
    ['no id', without(flat, 'id')],
    ['an id that is neither UUID nor number', { ...appliedAt, id: 'A-17' }],
    ['an id that lost digits', { ...appliedAt, id: 2 ** 53 }],
    ['a negative id', { ...appliedAt, id: -17 }],
    ['a broken id', { ...appliedAt, id: 1.5 }],
    ['an id of 40 digits', { ...appliedAt, id: '1'.repeat(40) }],
    ['no job', without(appliedAt, 'job')],
    ['a list', [appliedAt]],
    ['text', 'new-job-application'],
    ['null', null],
    ['nothing', undefined],
    ['an empty object', {}],
  ])('is %s, with every field empty', (_name, value) => {
    expect(readApplication(value)).toEqual(nothing);
  });
});

describe('an envelope', () => {
  it.each<[string, Payload]>([
    ['with the event', { event: 'new-job-application' }],
    ['with the event in other words', { event: 'job_application.created', sent_at: '2026-02-14' }],
    ['with the type', { type: 'NewJobApplication' }],
    ['alone', {}],
  ])('%s is opened', (_name, envelope) => {
    for (const payload of [appliedAt, flat])
      expect(readApplication({ ...envelope, data: payload })).toEqual(readApplication(payload));
  });

  it.each<[string, Payload]>([
    ['of a cancellation', { event: 'job-application-canceled' }],
    ['of another event', { type: 'job-application-updated' }],
    ['with a status of cancellation', { status: 'canceled' }],
  ])('%s is not', (_name, envelope) => {
    expect(readApplication({ ...envelope, data: flat }).layout).toBe('unrecognised');
  });
});

describe('an id that is a number', () => {
  const read = (body: string) => readEvents(Buffer.from(body))?.map(({ application }) => application);
  const withIds = (id: string, job: string) =>
    JSON.stringify({ ...flat, id: 'ID', job: { id: 'JOB', title: '\\"1234567890123456789' } })
      .replace('"ID"', id)
      .replace('"JOB"', job);

  it.each([
    ['0', '0'],
    ['17', '17'],
    ['"0017"', '0017'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
  ])('%s keeps every digit', (written, id) => {
    expect(read(withIds(written, written))).toMatchObject([
      { layout: 'flat', applicationId: id, jobId: id, jobTitle: '\\"1234567890123456789' },
    ]);
    expect(read(`[{"data": ${withIds(written, '1')}}, ${withIds(written, '2')}]`)).toMatchObject([
      { applicationId: id, jobId: '1' },
      { applicationId: id, jobId: '2' },
    ]);
  });

  it.each(['1.5', '-17', '1e300', '9007199254740993.0', '12345678901234567890e1'])(
    '%s is none, and nothing is lost',
    (written) => {
      expect(read(withIds(written, '1'))).toMatchObject([{ layout: 'unrecognised' }]);
    },
  );

  it('changes no other value, wherever digits stand', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('\\', '"', '9'.repeat(20)))), (skills) => {
        const body = `${JSON.stringify({ ...flat, skills }).slice(0, -1)},"more":12345678901234567890}`;
        const [application] = read(body) ?? [];
        expect(application?.skills).toEqual(readApplication({ ...flat, skills }).skills);
      }),
    );
  });
});

describe('whatever arrives', () => {
  it('gives a record, never an exception', () => {
    const field = fc.constantFrom(...Object.keys({ ...appliedAt, ...flat }));
    fc.assert(
      fc.property(fc.constantFrom(appliedAt, flat), field, fc.jsonValue(), (base, name, value) => {
        const read = readApplication({ ...base, [name]: value });
        expect(['applied-at', 'flat', 'unrecognised']).toContain(read.layout);
        expect(JSON.stringify(read)).not.toContain('\\u0000');
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => readApplication(value).layout === 'unrecognised'));
  });

  it('survives a value of a hundred thousand levels', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    const read = readApplication({ ...flat, experiences: deep, skills: deep });
    expect(read.layout).toBe('flat');
    expect(JSON.stringify(read.experiences)).toContain('null');
  });
});
