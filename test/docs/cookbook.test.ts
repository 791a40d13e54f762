import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENTITIES } from '../../src/entities/index.js';
import { readLookup } from '../../src/entities/lookup.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { type Block, blocksOf, cellsOf } from './read-pages.js';
import { settingsProblems } from './settings-problems.js';

const BLOCKS = blocksOf('docs/cookbook.md');
const COLUMNS = new Set(ENTITIES.flatMap(({ columns }) => columns.map(({ name }) => name)));

const recipes = [...new Set(BLOCKS.map(({ section }) => section))].filter((section) => section !== '');

/** A value as a page shows it: null is an empty cell, and blanks are one. */
function shown(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\s+/g, ' ').trim();
}

describe('docs/cookbook.md', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('has a recipe for each situation that it lists', () => {
    const [, ...listed] = cellsOf(BLOCKS[0]?.text ?? '');
    expect(listed.map(([, link = '']) => /\[(.*)\]/.exec(link)?.[1])).toEqual(recipes);
    expect(recipes.length).toBeGreaterThanOrEqual(16);
  });

  it.each(recipes)('%s: the statements run, and return what the page shows', async (recipe) => {
    await database.query('drop schema public cascade; create schema public');
    const blocks = BLOCKS.filter(({ section }) => section === recipe);
    let queries = 0;
    for (const [index, block] of blocks.entries()) {
      if (block.kind !== 'sql') continue;
      if (block.text.startsWith('create ')) await database.query(block.text);
      else {
        queries += 1;
        await expectResult(block, blocks[index + 1]);
      }
    }
    expect(queries).toBeGreaterThan(0);
  });

  async function expectResult({ text }: Block, next: Block | undefined): Promise<void> {
    const rows = await database.query<{ row: Record<string, unknown> }>(
      `select row_to_json(q) as row from (\n${text}\n) q`,
    );
    const [first] = rows;
    // A result without rows is not on the page.
    if (first === undefined) return;
    expect(next?.kind, `no result behind: ${text}`).toBe('table');
    const [header = [], ...cells] = cellsOf(next?.text ?? '');
    expect(Object.keys(first.row)).toEqual(header);
    expect(rows.map(({ row }) => Object.values(row).map(shown))).toEqual(cells);
    if (header.includes('key')) expect(header.filter((name) => !COLUMNS.has(name))).toEqual([]);
  }

  it('its lookups and settings are valid', () => {
    const lookups = BLOCKS.filter(({ kind }) => kind === 'csv');
    expect(lookups.length).toBeGreaterThan(3);
    for (const { text, section } of lookups)
      expect(readLookup(text, section).entries.size).toBeGreaterThan(0);
    const settings = BLOCKS.filter(({ kind }) => kind === 'yaml');
    expect(settings.length).toBeGreaterThan(3);
    for (const { text } of settings) expect(settingsProblems(text), text).toEqual([]);
  });
});
