import type { Notice } from '../../src/domain/notice.js';

export const NOTICE: Notice = {
  id: '0b7c0c0e-31f1-4f5a-9d6e-5a8f3a1f2b11',
  notice: 'held',
  was: null,
  subject: { entity: 'vacancies' },
  since: '2026-01-01T00:00:00.000Z',
  at: '2026-01-01T00:01:00.000Z',
  reason: 'Half of it is gone.',
  help: 'placement-sync approve vacancies',
  text: 'placement-sync: vacancies is held. Half of it is gone. placement-sync approve vacancies',
  worker: 'host pid 1',
};

export const NEVER = new AbortController().signal;
