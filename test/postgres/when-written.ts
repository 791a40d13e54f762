/**
 * Lets the database do `work` (statements of PL/pgSQL) whenever a statement has written to `table`, in its transaction:
 * what happens between two statements of the product happens there every time.
 */
export async function whenWritten(
  sql: (text: string) => Promise<unknown>,
  table: string,
  work: string,
): Promise<void> {
  await sql(`create function public.when_written() returns trigger language plpgsql as $$ begin ${work} return null; end $$;
    create trigger when_written after insert or update on ${table} execute function public.when_written()`);
}
