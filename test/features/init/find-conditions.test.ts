import { describe, expect, it } from 'vitest';
import type { CatalogTable } from '../../../src/features/catalog/catalog.js';
import { draftable } from '../../../src/features/init/draftables.js';
import { findLinks } from '../../../src/features/init/links.js';
import { findConditions } from '../../../src/features/init/map/find-conditions.js';
import { makeQuery } from '../../../src/features/init/map/make-query.js';
import { createScope, NOTHING_KNOWN } from '../../../src/features/init/map/scope.js';
import { columnMatches } from '../../../src/features/init/rank/column-matches.js';
import { checkText, queryText } from '../../../src/features/init/write/query-text.js';
import { catalogOf } from './catalog-of.js';

describe('find conditions', () => {
  function asked(columns: string): readonly string[] {
    const catalog = catalogOf(`class 3: id int, ${columns}
      country_states 38: id int, name text, country_id int
      states 4: id int, name text`);
    const [table] = catalog.tables as [CatalogTable];
    const scope = createScope('t', findLinks(catalog));
    return findConditions(scope, { table, alias: 't' }, new Set()).map(({ column }) => column.name);
  }

  it.each([
    'no_of_cancelled int',
    'closed_count int',
    'open_seats_left int',
    'showreports int',
    'show_activity_dates int',
    'visibleformer int',
    'enablechat int',
    'suspendreminder int',
    'publish_results_page int',
    'display_badge bool',
    'is_remote bool',
    'featured bool',
    'state text, zip text',
    'state_id int > country_states',
    'verifikator text',
    'nama_verifikator text',
    'approved_name text',
    'publisher_name text',
    'confirmed_person text',
    'petugas_verifikasi text',
    'moderator text',
  ])('%s is no question of publication', (columns) => {
    expect(asked(columns)).toEqual([]);
  });

  it.each([
    'publish int',
    'published_at timestamptz',
    'publish_on_website bool',
    'show_in_listing int',
    'hidden int',
    'visible int',
    'visibility text',
    'suspended int',
    'is_open bool',
    'open_for_enrolment bool',
    'state text',
    'state_id int > states',
    'workflow_state text, city text',
    'dihapus int',
    'tampil_di_web bool',
    'status_verifikasi text',
    'approved text',
    'moderation text',
  ])('%s is one', (columns) => {
    expect(asked(columns)).toEqual([columns.split(' ')[0]]);
  });

  it('takes no column that a framework keeps for itself, and prefers a name to a key', () => {
    const [table] = catalogOf(`class 3: name text, session_name text, _about text`).tables;
    const matches = table ? columnMatches(draftable('trainings'), table) : [];
    expect(matches.map(({ target, column }) => [target, column.name])).toEqual([['title', 'session_name']]);
  });
});

describe('query text', () => {
  function draftOf(columns: string) {
    const catalog = catalogOf(`company 3: ${columns}`);
    const [table] = catalog.tables as [CatalogTable];
    return makeQuery('companies', table, {
      links: findLinks(catalog),
      chosen: new Map([['companies', table]]),
      known: NOTHING_KNOWN,
      ranking: new Map(),
    });
  }

  const conditionsOf = (text: string) => text.split('\nwhere true\n')[1]?.trimEnd().split('\n') ?? [];

  it('keeps every condition in a comment, whatever the values and names are', () => {
    const query = draftOf('id int, name text, status text, is_active bool');
    const [status, active] = query.conditions;
    const odd = {
      ...query,
      conditions: [status, active && { ...active, column: { ...active.column, name: 'is\nactive' } }].flatMap(
        (each) => (each ? [each] : []),
      ),
    };
    const counts = new Map([
      [
        status?.sql ?? '',
        [
          { value: 'a\n;drop table company; --', label: null, count: 2 },
          { value: 'live', label: 'x\r\ny', count: 1 },
        ],
      ],
    ]);
    const lines = conditionsOf(queryText(odd, counts));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !line.startsWith('  -- '))).toEqual([]);
    expect(lines).toContain("  -- and c.status in ('live')");
    const closed = [
      { value: 'tutup', label: null, count: 1 },
      { value: 'a\n;drop table company; --', label: null, count: 2 },
    ];
    expect(conditionsOf(queryText(odd, new Map([[status?.sql ?? '', closed]])))).toContain(
      "  -- and c.status in (E'a\\n;drop table company; --')",
    );
  });

  const counted = (values: readonly string[], count = 1) =>
    values.map((value) => ({ value, label: null, count }));
  const numbered = (length: number) => Array.from({ length }, (_, at) => `s${String(at + 1)}`);
  /** Question and condition of a status with these values. */
  function asked(counts: ReturnType<typeof counted>) {
    const query = draftOf('id int, name text, status text');
    const lines = conditionsOf(queryText(query, new Map([[query.conditions[0]?.sql ?? '', counts]])));
    return lines.map((line) => line.replace('  -- ', '')).join(' ');
  }

  it('shows every value that was looked at, and offers no condition of unknown words', () => {
    expect(asked(counted(numbered(15)))).toMatch(/· 's13' 1 · 's14' 1 · 's15' 1$/);
  });

  it.each([
    ['draft tayang tutup', 'tayang'],
    ['OPEN CLOSED ONHOLD', 'OPEN'],
    ['closed Published open', "Published', 'open"],
    ['N Y', 'Y'],
    ['batal x', 'x'],
    ['JOB_DRAFT JOB_PUBLISHED', 'JOB_PUBLISHED'],
  ])('chooses the likely words of %s beforehand: %s', (values, chosen) => {
    const text = asked(counted(values.split(' ')));
    expect(text).toContain(`c.status in ('${chosen}')`);
    expect(text).toContain(
      `keeps ${String(chosen.split(',').length)} of ${String(values.split(' ').length)}`,
    );
  });

  it.each(['tayang', 'tutup', 'tayang terbit', 'Scheduled Cancelled'])(
    'offers no condition that keeps all or nothing: %s',
    (values) => {
      expect(asked(counted(values.split(' ')))).not.toContain('and c.status');
    },
  );

  it.each([
    [17, 'more value '],
    [19, 'more values '],
  ])('of %i values it says how many are not shown, and offers no list that lacks them', (number, words) => {
    const text = asked(counted(numbered(number)));
    expect(text).toContain(`'s16' 1 · … ${String(number - 16)} ${words.trim()}`);
    expect(text).not.toContain('and c.status');
  });

  it('offers no list with a value that is cut', () => {
    expect(asked(counted(['x'.repeat(61), 'tutup']))).not.toContain('and c.status');
    expect(asked(counted(['x'.repeat(60), 'tutup']))).toMatch(/ and c\.status in \('x+'\)$/);
  });

  it('offers no list of values when only the first rows were counted, and says so', () => {
    const text = asked(counted(['open', 'tutup'], 250_000));
    expect(text).toContain("'tutup' 250,000 (of the first 500,000 rows: further ones may have other values)");
    expect(text).not.toContain('and c.status');
  });

  it('asks for the rows that are left when a flag means deletion', () => {
    const lines = conditionsOf(
      queryText(draftOf('id int, name text, is_deleted bool, archived_at timestamptz'), new Map()),
    );
    expect(lines).toContain('  -- and not coalesce(c.is_deleted, false)');
    expect(lines).toContain('  -- and c.archived_at is null');
  });

  it('compares a time without zone in the zone in which it is written, which a person decides', () => {
    const text = queryText(draftOf('id int, name text, published_at timestamp'), new Map());
    expect(conditionsOf(text)).toContain("  -- and c.published_at <= now() at time zone 'Asia/Jakarta'");
    expect(text.replaceAll(/\s+--\s+/g, ' ')).toContain(
      'decide: which rows are published? published_at: not counted (a time without zone: is it written in Asia/Jakarta? the same as source.timeZone)',
    );
    expect(
      conditionsOf(queryText(draftOf('id int, name text, published_at timestamptz'), new Map())),
    ).toContain('  -- and c.published_at <= now()');
  });

  it('checks a query without what belongs to people', () => {
    const query = draftOf('id int, name text, phone text, email text, address text');
    expect(queryText(query, new Map())).toContain('c.phone');
    expect(checkText(query)).toBe('select c.id as key, c.name as name, c.address as address\nfrom company c');
  });
});

describe('find region', () => {
  const PLACES = `
  city 500: id int, name text, province_id int > province
  province 34: id int, name text, capital_city text
  branch 20: id int, name text, province_id int > province
  office 20: id int, name text, city_id int > city, province_id int > province`;

  /** The column that the draft takes for the city of a vacancy; null: none. */
  function regionOf(columns: string): string | null {
    const catalog = catalogOf(`vacancy 300: id int, title text, ${columns}${PLACES}`);
    const [table] = catalog.tables as [CatalogTable];
    const query = makeQuery('vacancies', table, {
      links: findLinks(catalog),
      chosen: new Map([['vacancies', table]]),
      known: NOTHING_KNOWN,
      ranking: new Map(),
    });
    return query.columns.find(({ target }) => target === 'region_id')?.from ?? null;
  }

  it.each([
    'province text',
    'provinsi text',
    'region_province text',
    'state_region text',
    'province_id int > province',
    'region_id int > province',
    'location_id int > province',
    'branch_id int > branch',
  ])('takes no province for a city: %s', (columns) => {
    expect(regionOf(columns)).toBe(null);
  });

  it.each([
    ['province_id int > province, city_id int > city', 'city_id'],
    ['provinsi text, kota text', 'kota'],
    ['office_id int > office', 'city_id'],
  ])('finds the city beside a province: %s', (columns, column) => {
    expect(regionOf(columns)).toMatch(new RegExp(`\\b${column}$`));
  });
});
