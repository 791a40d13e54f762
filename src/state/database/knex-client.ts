import type { Knex } from 'knex';
import pg from 'pg';
import { guardConnection } from '../../runtime/guard-connection.js';

/** knex's compiler of statements about the schema, as far as it is used here. */
interface SchemaCompiler {
  /** In which tables are looked for. */
  readonly schema: string | undefined;
  hasTable(table: string): void;
  pushQuery(query: {
    readonly sql: string;
    readonly bindings: readonly unknown[];
    readonly output: (reply: { readonly rows: readonly unknown[] }) => boolean;
  }): void;
}

class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    guardConnection(this);
  }
}

/**
 * knex's client for Postgres, whose connections are guarded, and which asks otherwise whether a table exists. knex asks information_schema four times for each
 * migrated schema, and that reads all tables of the database: with the ledgers of thousands of tenants it took longer than
 * the migration itself.
 */
export function createKnexClient(knex: (config: Knex.Config) => Knex): typeof Knex.Client {
  const plain = knex({ client: 'pg', version: '13' });
  const PgClient = (plain.client as Knex.Client).constructor as typeof Knex.Client;
  return class extends PgClient {
    /** Called by knex; missing in its types. */
    _driver(): unknown {
      return { ...pg, Client: GuardedClient };
    }

    override schemaCompiler(builder: Knex.SchemaBuilder): SchemaCompiler {
      const compiler = super.schemaCompiler(builder) as SchemaCompiler;
      const { schema } = compiler;
      if (schema === undefined) return compiler;
      compiler.hasTable = (table) =>
        compiler.pushQuery({
          sql: 'select 1 where pg_catalog.to_regclass(?) is not null',
          bindings: [[schema, table].map(quoted).join('.')],
          output: ({ rows }) => rows.length > 0,
        });
      return compiler;
    }
  };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
