import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { platformReferences } from '../../../src/cli/compose/configured-entities.js';
import { withReadOnly, type ReadOnly } from '../../../src/features/catalog/with-read-only.js';
import { type Draft, draft } from '../../../src/features/init/draft.js';
import { look } from '../../../src/features/init/look.js';
import { rank, takeLikeliest } from '../../../src/features/init/rank.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';

/** A database made of a file of `databases/`. */
export async function openDatabase(name: string): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await database.query(readFileSync(join(import.meta.dirname, 'databases', `${name}.sql`), 'utf8'));
  return database;
}

export interface Tried extends Draft {
  /** Likeliest table of each entity. */
  readonly tables: Readonly<Record<string, string>>;
  /** Every statement that went to the database. */
  readonly statements: readonly string[];
  file(path: string): string;
  /** Lines of the report, and questions of the queries, that contain this: each once. */
  said(text: string): readonly string[];
}

/** Drafts as `init --yes` does, and notes every statement. */
export async function draftFrom(url: string, statementTimeoutMs = 60_000): Promise<Tried> {
  const statements: string[] = [];
  return await withReadOnly({ url, statementTimeoutMs }, async (read) => {
    const noting: ReadOnly = {
      run: <T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => {
        statements.push(text);
        return read.run<T>(text, values);
      },
      attempt: <T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => {
        statements.push(text);
        return read.attempt<T>(text, values);
      },
      describe: read.describe,
    };
    const catalog = await look(noting);
    const ranking = rank(catalog);
    const first = [...ranking].flatMap(([entity, candidates]) => {
      const table = takeLikeliest(candidates);
      return table ? [[entity, table] as const] : [];
    });
    const drafted = await draft(noting, catalog, {
      chosen: new Map(first),
      ranking,
      references: platformReferences(),
    });
    const queries = [...drafted.files].flatMap(([path, text]) => (path.endsWith('.sql') ? [text] : []));
    const questions = queries
      .flatMap((text) => text.replaceAll(/\n\s*-- (?!decide: )/g, ' ').split('\n'))
      .filter((line) => line.includes('-- decide: '))
      .map((line) => line.replace(/^\s*-- decide: /, '  - '));
    return {
      ...drafted,
      tables: Object.fromEntries(first.map(([entity, table]) => [entity, table.title])),
      statements,
      file: (path) => {
        const text = drafted.files.get(path);
        if (text === undefined) throw new Error(`no ${path} among ${[...drafted.files.keys()].join(', ')}`);
        return text;
      },
      said: (text) => [...new Set([...drafted.report, ...questions])].filter((line) => line.includes(text)),
    };
  });
}

/** A line of a query's select list: what fills a column. */
export function filledBy(query: string, column: string): string | undefined {
  const line = query.split('\n').find((each) => new RegExp(` as ${column},?$`).test(each));
  return line?.trim().replace(new RegExp(` +as ${column},?$`), '');
}
