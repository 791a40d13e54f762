import { describe, expect, it } from 'vitest';
import { linksOf, readFixture } from './fixtures.js';
import { envelope, readData } from '../../src/contract/fields.js';
import type { OperationName } from '../../src/contract/operation.js';
import { operation } from '../../src/entities/index.js';
import { trainingRead } from '../../src/contract/training.js';

interface Reply {
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
}

const fixture = (name: string) => readFixture(`replies/${name}.json`) as Reply;
const read = (name: OperationName, json: unknown) => readData(json, operation(name).reply);

const REPLIES: readonly [OperationName, string][] = [
  ['putCompany', 'put-company'],
  ['putVacancy', 'put-vacancy'],
  ['putInstitution', 'put-institution'],
  ['putTraining', 'put-training'],
  ['findCompany', 'find-company'],
  ['findVacancy', 'find-vacancy'],
  ['findInstitution', 'find-institution'],
  ['findTraining', 'find-training'],
  ['updateApplicationStatus', 'update-application-status'],
];

describe('replies written by hand from the interface', () => {
  it.each(REPLIES)('%s is read as it is', (operation, name) => {
    expect(read(operation, fixture(name))).toEqual({ value: fixture(name).data, malformed: null });
  });

  it.each(REPLIES)('%s may have fields that nobody knows', (operation, name) => {
    const { data, meta } = fixture(name);
    expect(read(operation, { data: { ...data, score: 3 }, meta, links: [] }).value).toMatchObject({
      score: 3,
    });
  });

  it.each(REPLIES.filter(([operation]) => operation.startsWith('put')))(
    '%s is malformed without id or reference, and without nothing else',
    (operation, name) => {
      const { data, meta } = fixture(name);
      const needed = Object.keys(data).filter((field) => {
        const rest = Object.fromEntries(Object.entries(data).filter(([other]) => other !== field));
        return read(operation, { data: rest, meta }).malformed !== null;
      });
      expect(needed).toEqual(['id', 'reference']);
    },
  );
});

describe('the reply to an application status', () => {
  it('needs neither id nor reference, nor anything else', () => {
    expect(read('updateApplicationStatus', { data: {}, meta: {} }).malformed).toBeNull();
  });

  it('may have nulls, and the amount as text', () => {
    const data = { applicants: null, status: 'hired', hired_at: null, salary: { amount: '5250000.50' } };
    expect(read('updateApplicationStatus', { data, meta: {} })).toEqual({ value: data, malformed: null });
  });

  it('is malformed outside of the envelope', () => {
    expect(read('updateApplicationStatus', { status: 'hired' }).malformed).toMatch(/^data: /);
  });
});

describe('the reply to a delete', () => {
  it.each([[{}], [{ id: 1, deleted: true }], [{ message: 'deleted' }]])('may hold anything: %o', (data) => {
    expect(read('deleteVacancy', { data, meta: {} })).toEqual({ value: data, malformed: null });
    expect(envelope.safeParse({ data, meta: {} }).success).toBe(true);
  });
});

describe('a training that is read back', () => {
  it('has its links in itself', () => {
    expect(linksOf('trainings', fixture('find-training').data)).toEqual({
      id: '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21',
      reference: '5f2f6c1e-8a57-4c38-9d0b-3b2f0b7d9a11',
    });
  });

  it('needs no institution', () => {
    const { data, meta } = fixture('find-training');
    expect(
      readData({ data: { ...data, institution: null, region: null }, meta }, trainingRead).malformed,
    ).toBe(null);
  });
});
