import { expect, test } from 'vitest';
import {
  concernsOnly,
  hasExpiryCondition,
  looksLikeFlag,
  mentions,
  openDecisions,
  unorderedAggregates,
} from '../../../../src/onboarding/doctor/sql/conditions.js';

test.each([
  ["string_agg(s.name, ',')", ['string_agg']],
  ["string_agg(s.name, ',' order by s.name)", []],
  ['array_agg(distinct x), jsonb_agg(x order by 1)', []],
  ["string_agg(DISTINCT lower(x), ',') filter (where x <> '')", []],
  ['array_agg((select distinct y from z))', ['array_agg']],
  ['array(select distinct x from y)', ['array']],
  ['array_agg((select y from z order by y limit 1))', ['array_agg']],
  ['array(select x from y)', ['array']],
  ['array(select x from y order by x)', []],
  ['count(*), max(x), array_length(a, 1)', []],
  ["'string_agg(x)' as text, -- array_agg(y)\n 1", []],
])('aggregates without order in %s: %j', (part, found) => {
  expect(unorderedAggregates(`select ${part} from t s`)).toEqual(found);
});

test.each([
  ['select 1 from t where closes > now()', true],
  ['select 1 from t where closes >= current_date and x', true],
  ["select 1 from t where closes > 'today'", true],
  ['select 1 from t join u on u.until > clock_timestamp()', true],
  ['select 1 from (select 1 from t where until > localtimestamp) x', true],
  ['select now() as seen from t where x', false],
  ['select 1 from t where exists (select now() from u)', false],
  ["select 'where now()' from t -- where now()", false],
  ['select t.now from t where t.now > 1', false],
])('%s has a condition on the present time: %s', (sql, expected) => {
  expect(hasExpiryCondition(sql)).toBe(expected);
});

test.each([
  'is_active',
  'published_at',
  'discarded_at',
  'state',
  'status',
  'job_status',
  'archived',
  'visibility',
  'draft',
  'type',
  'job_type',
  'confirmed',
  'deleted_at',
  'approved',
])('%s looks like publication or deletion', (name) => {
  expect(looksLikeFlag({ name, kind: 'text' })).toBe(true);
});

test.each([
  'title',
  'estate',
  'statement',
  'prototype',
  'confirmation_token',
  'activation_code',
  'published_by',
  'status_id',
  'real_estate',
  'archive_email',
  'interactive_path',
])('%s does not', (name) => {
  expect(looksLikeFlag({ name, kind: 'text' })).toBe(false);
});

test.each([
  'verifikator',
  'nama_verifikator',
  'approved_name',
  'publisher_name',
  'confirmed_person',
  'petugas_verifikasi',
  'moderator',
  'approver',
  'namaPublikasi',
])('%s has names of people, so it is no flag', (name) => {
  expect(looksLikeFlag({ name, kind: 'text' })).toBe(false);
});

test.each(['is_verified', 'approved', 'moderation', 'status_verifikasi', 'confirmed'])(
  '%s has none, so it is one',
  (name) => {
    expect(looksLikeFlag({ name, kind: 'text' })).toBe(true);
  },
);

test.each([
  ['select 1 from t where t.state = 1', true],
  ['select 1 from t -- state: all of them', true],
  ['select 1 from t where "State" = 1', true],
  ["select 'open' as state from t", false],
  ["select 'open' as state from t where state = 'x'", true],
  ['select 1 from t join u on u.state = 1', false],
  ['select 1 from t\nwhere true\n  -- and t.state = 1', false],
  ['select 1 from t\r\nwhere true\r\n  --AND t.state = 1\r\n', false],
  ['select 1 from t\nwhere true\n  -- and t.state = 1\n  -- state: not needed', true],
  ['select 1 from t\nwhere true\n  and t.state = 1 -- and more', true],
  ['select 1 from t -- andere: state', true],
  ['select 1 from t where states', false],
])('%s mentions state: %s', (sql, expected) => {
  expect(mentions(sql, 'state', new Set(['u']))).toBe(expected);
});

test.each([
  ['j.open and j.day > now()', true],
  ['open', true],
  ["f.state = 'x'", false],
  ['label is not null', false],
  ['exists (select 1 from z where z.id = j.id)', true],
  ['lower(j.name) <> $$label$$', true],
])('%s concerns the base table alone: %s', (condition, expected) => {
  const scope = {
    alias: 'j',
    columns: new Set(['open', 'day', 'name', 'id']),
    otherAliases: new Set(['f']),
    otherColumns: new Set(['label']),
  };
  expect(concernsOnly(condition, scope)).toBe(expected);
});

test('questions of a draft are open until their condition stands there, or they are deleted', () => {
  const draft = `select
  -- decide: a record may have several rows;
  -- this takes the first
  x as title,
  y as about, -- decide: is this for everybody?
  -- decide: where else does a record say where it is?
  coalesce(
    cast(t.town as text),
    'x') as "region_id"
from t
where true
  -- decide: which rows are published? state: 'live' 3 ·
  -- 'draft' 2
  -- and t.state in ('live', 'draft')
  -- decide: leave out what is over?
  and t.ends > now()
  -- a comment`;
  expect(openDecisions(draft)).toEqual([
    {
      question: 'a record may have several rows; this takes the first',
      line: 2,
      column: 'title',
      offered: null,
    },
    { question: 'is this for everybody?', line: 5, column: 'about', offered: null },
    {
      question: 'where else does a record say where it is?',
      line: 6,
      column: 'region_id',
      offered: null,
    },
    {
      question: "which rows are published? state: 'live' 3 · 'draft' 2",
      line: 12,
      column: null,
      offered: 'condition',
    },
  ]);
  expect(openDecisions('select 1 -- decided: nothing')).toEqual([]);
  expect(openDecisions('-- decide: whose rows?\n\nselect\n  t.id as key\nfrom t')).toEqual([
    { question: 'whose rows?', line: 1, column: null, offered: null },
  ]);
});
