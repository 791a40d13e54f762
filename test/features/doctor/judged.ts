import type {
  DoctorFacts,
  EntityFacts,
  SourceFacts,
  StateFacts,
} from '../../../src/features/doctor/facts.js';
import type { RowFacts } from '../../../src/features/doctor/rows/row-tally.js';
import type { DoctorEntity, Level } from '../../../src/features/doctor/finding.js';
import type { EntityName } from '../../../src/core/domain/names.js';
import { entity } from '../../../src/core/entities/index.js';

/** Facts of a source, a state and a platform of which nothing is known. */
export const FACTS: DoctorFacts = {
  settings: {
    source: {
      url: 'postgres://reader@db.example.org/hr',
      timeZone: null,
      sessionTimeZone: null,
      statementTimeoutMs: 1,
    },
    platformTimeZone: 'Asia/Jakarta',
    references: new Map(),
    maxInvalidPercent: 50,
    today: '2026-05-01',
  },
  source: { cause: 'no connection' },
  state: { cause: 'no connection' },
  areas: [],
  entities: [],
};

function withSource(
  source: { server?: Partial<SourceFacts['server']> } & Partial<Omit<SourceFacts, 'server'>>,
): DoctorFacts {
  const server = { encrypted: false, replica: false, ...source.server };
  return { ...FACTS, source: { value: { ...source, server } as SourceFacts } };
}

function withState(state: Partial<StateFacts>): DoctorFacts {
  return {
    ...FACTS,
    state: { value: { unmigrated: null, mayCreate: null, differences: [], ...state } },
  };
}

function withArea(area: Partial<DoctorFacts['areas'][number]>): DoctorFacts {
  const known = {
    area: 'jobs',
    baseUrl: 'https://jobs.example.org/',
    finds: [],
    untried: null,
    adapter: null,
    clientCertificate: null,
  };
  return { ...FACTS, areas: [{ ...known, ...area } as DoctorFacts['areas'][number]] };
}

const shownFor = (days: number) => ({
  ...{ file: 'us.crt', name: 'CN=us', validTo: new Date('2026-05-10T00:00:00Z') },
  leftMs: days * 24 * 3_600_000,
});

/** An entity of which this is known. */
export function withEntity(
  name: EntityName,
  {
    rows = {},
    about = {},
    ...facts
  }: Partial<Omit<EntityFacts, 'rows' | 'entity'>> & {
    readonly rows?: Partial<RowFacts>;
    readonly about?: Partial<DoctorEntity>;
  },
): DoctorFacts {
  const none = { count: 0, sample: [] };
  const known = {
    ...{ read: 60, extent: 'all', columns: [], parentless: null, orphans: null, foreign: null },
    ...{ duplicates: none, twins: none, nearOrphans: none },
  };
  const value = { ...known, ...rows } as unknown as RowFacts;
  const shape = { selects: [], ctes: [] };
  const sources = { cause: 'not read' };
  const entityFacts = { shape, sources, ...facts, entity: { ...entity(name), ...about }, rows: { value } };
  return { ...FACTS, entities: [entityFacts as unknown as EntityFacts] };
}

const answer = (status: number, date: string, json: unknown = {}) => ({
  entity: 'companies' as const,
  operation: 'findCompany',
  reply: {
    kind: 'answered',
    status,
    html: false,
    date: new Date(date).toUTCString(),
    receivedAt: Date.parse('2026-05-01T00:00:00Z'),
    json,
  } as never,
});
const applicationsIn = (count: number) =>
  withEntity('application-statuses', {
    about: { requireInbox: true },
    rows: { foreign: { value: { count, sample: [] } } },
  });

interface Judged {
  readonly id: string;
  readonly level: Level;
  readonly message: RegExp;
  readonly facts: DoctorFacts;
}

function paidBy(sql: string): DoctorFacts {
  const source = { table: { title: 'hr.job' }, column: { name: 'annualSalaryMin' }, joins: false };
  const columns = [{ name: 'min_salary_amount', sql, sources: [source] }];
  return withEntity('vacancies', {
    about: { query: { sql: `select ${sql} as min_salary_amount from hr.job j`, file: 'jobs.sql' } },
    kept: { value: [] },
    sources: { value: { columns } },
    rows: { pay: new Map() },
  } as unknown as Parameters<typeof withEntity>[1]);
}

/** What a check says of facts that no small database and no sandbox has, or that many parts have to agree for. */
export const JUDGED: readonly Judged[] = [
  { id: 'tls', level: 'warn', message: /is not encrypted/, facts: withSource({}) },
  { id: 'tls', level: 'pass', message: /is encrypted/, facts: withSource({ server: { encrypted: true } }) },
  { id: 'state', level: 'pass', message: /up to date/, facts: withState({}) },
  {
    id: 'vanished',
    level: 'warn',
    message: /a job vacancy that leaves the query stays open at the platform/,
    facts: withEntity('vacancies', { about: { onVanished: 'report' } }),
  },
  {
    id: 'vanished',
    level: 'pass',
    message: /closed at the platform/,
    facts: withEntity('vacancies', { about: { onVanished: 'close' } }),
  },
  {
    id: 'state',
    level: 'warn',
    message: /^no tables yet$/,
    facts: withState({ unmigrated: 'no tables yet', mayCreate: true }),
  },
  {
    id: 'state',
    level: 'fail',
    message: /^another platform$/,
    facts: withState({ differences: ['another platform'] }),
  },
  {
    id: 'state',
    level: 'fail',
    message: /^It is read-only$/,
    facts: withState({ readOnly: { message: 'It is read-only.', hint: 'Look.' } }),
  },
  {
    id: 'state',
    level: 'fail',
    message: /^in LATIN1$/,
    facts: withState({ unmigrated: 'no tables yet', unfit: { message: 'in LATIN1', hint: 'Make another.' } }),
  },
  {
    id: 'connection',
    level: 'warn',
    message: /the encoding SQL_ASCII/,
    facts: withSource({ server: { encoding: 'SQL_ASCII' } }),
  },
  {
    id: 'client-certificate',
    level: 'pass',
    message: /CN=us \(us\.crt\) is valid until 2026-05-10/,
    facts: withArea({ clientCertificate: shownFor(15) }),
  },
  {
    id: 'client-certificate',
    level: 'warn',
    message: /client certificate CN=us \(us\.crt\) is valid until 2026-05-10/,
    facts: withArea({ clientCertificate: shownFor(13) }),
  },
  {
    id: 'client-certificate',
    level: 'fail',
    message: /client certificate CN=us \(us\.crt\) has expired \(2026-05-10\)/,
    facts: withArea({ clientCertificate: shownFor(-1) }),
  },
  {
    id: 'client-certificate',
    level: 'fail',
    message: /cannot be shown: us\.key is not the key/,
    facts: withArea({ clientCertificate: { file: 'us.crt', problem: 'us.key is not the key' } }),
  },
  {
    id: 'adapter',
    level: 'pass',
    message: /jobs: the adapter \/a\.mjs is in use \(request, reply\)/,
    facts: withArea({ adapter: { file: '/a.mjs', functions: ['request', 'reply'] } }),
  },
  {
    id: 'adapter',
    level: 'fail',
    message: /jobs: the adapter cannot be used: a\.mjs:2: Unexpected token/,
    facts: withArea({ adapter: { file: '/a.mjs', problem: 'a.mjs:2: Unexpected token' } }),
  },
  {
    id: 'credentials',
    level: 'pass',
    message: /signature accepted/,
    facts: withArea({ finds: [answer(404, '2026-05-01T00:00:00Z')] }),
  },
  {
    id: 'credentials',
    level: 'pass',
    message: /signature accepted.*; it sees us as 203\.0\.113\.7$/,
    facts: withArea({
      finds: [answer(404, '2026-05-01T00:00:00Z', { meta: { client_ip: '203.0.113.7' } })],
    }),
  },
  {
    id: 'credentials',
    level: 'fail',
    message: /refused the request \(HTTP 403\); it sees us as 203\.0\.113\.7$/,
    facts: withArea({
      finds: [answer(403, '2026-05-01T00:00:00Z', { meta: { client_ip: '203.0.113.7' } })],
    }),
  },
  {
    id: 'credentials',
    level: 'warn',
    message: /only with errors \(HTTP 500\)/,
    facts: withArea({ finds: [answer(500, '2026-05-01T00:00:00Z')] }),
  },
  {
    id: 'platform-clock',
    level: 'pass',
    message: /agrees/,
    facts: withArea({ finds: [answer(404, '2026-05-01T00:00:01Z')] }),
  },
  {
    id: 'platform-clock',
    level: 'warn',
    message: /clock/,
    facts: withArea({ finds: [answer(404, '2026-05-01T01:00:00Z')] }),
  },
  {
    id: 'applications',
    level: 'pass',
    message: /every application is in the inbox/,
    facts: applicationsIn(0),
  },
  { id: 'applications', level: 'warn', message: /^7 .* match no application/, facts: applicationsIn(7) },
  {
    id: 'parents',
    level: 'fail',
    message: /^3 of 60 job vacancies cannot be sent without a company: company_key is null$/,
    facts: withEntity('vacancies', {
      about: { mapContext: { namespace: '', plainText: [], lookups: {}, required: ['company_key'] } },
      rows: { columns: ['company_key'], parentless: { count: 3, sample: ['1', '2', '3'] } },
    }),
  },
  {
    id: 'pay',
    level: 'warn',
    message: /^min_salary_amount is hr\.job\.annualSalaryMin, and its name says pay by the year/,
    facts: paidBy('j."annualSalaryMin"'),
  },
  { id: 'pay', level: 'pass', message: /by the month/, facts: paidBy('round(j."annualSalaryMin" / 12.0)') },
  ...[
    { invalid: 0, message: /^no doubtful values$/ },
    { invalid: 4, message: /^no doubtful values in the 56 of 60 rows that are not invalid$/ },
  ].map(({ invalid, message }) => ({
    id: 'doubtful',
    level: 'pass' as const,
    message,
    facts: withEntity('vacancies', { rows: { groups: [], invalid } }),
  })),
];
