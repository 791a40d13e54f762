import { expect, it } from 'vitest';
import type { CatalogTable } from '../../../src/onboarding/catalog/catalog.js';
import { draftable } from '../../../src/onboarding/init/draftables.js';
import { findLinks } from '../../../src/onboarding/init/links.js';
import { findConditions } from '../../../src/onboarding/init/map/find-conditions.js';
import { createScope } from '../../../src/onboarding/init/map/scope.js';
import { columnMatches } from '../../../src/onboarding/init/rank/column-matches.js';
import { catalogOf } from './catalog-of.js';

const PROVINCES = { country_states: [38, 'id int, name text, country_id int'] } as const;
const STAGES = { states: [4, 'id int, name text'] } as const;

function asked(columns: string): readonly string[] {
  const catalog = catalogOf({ class: [3, `id int, ${columns}`], ...PROVINCES, ...STAGES });
  const [table] = catalog.tables as [CatalogTable];
  const scope = createScope('t', findLinks(catalog));
  return findConditions(scope, { table, alias: 't' }, new Set(), null).map(({ column }) => column.name);
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
  'close_date date',
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
  const [table] = catalogOf({ class: [3, 'name text, session_name text, _about text'] }).tables;
  const matches = table ? columnMatches(draftable('trainings'), table) : [];
  expect(matches.map(({ target, column }) => [target, column.name])).toEqual([['title', 'session_name']]);
});
