import { SyncError } from '../domain/errors.js';
import {
  APPLICATION_PARAMETER_NAMES,
  type ApplicationParameter,
} from '../domain/inbox/application-parameters.js';
import { databaseMessage } from '../domain/sql/error-fields.js';
import { namedParameters } from '../domain/sql/sql-text.js';
import type { StateDatabase, Verbatim } from './database/state-database.js';
import { translateStateError } from './database/translate-state-error.js';

/**
 * The partner's own statement, `webhook.sql`: its named parameters become numbered ones, `check` plans it with nulls, and
 * `run` gives it one application, in the transaction that stores it. Its errors leave without values of the applicant.
 */

/** The statement of `webhook.sql`, ready to run for each stored application. */
export interface PartnerStatement {
  run(verbatim: Verbatim, application: StoredApplication): Promise<void>;
  /** Plans it with nulls. Errors: SyncError `config-invalid`, `state-unavailable`. */
  check(database: StateDatabase): Promise<void>;
}

/** A stored application as the partner's statement gets it: text in the form that Postgres reads. */
export type StoredApplication = Readonly<Record<ApplicationParameter, string | null>>;

/** Errors: SyncError `config-invalid` for a statement that cannot be used. */
export function partnerStatement(sql: string): PartnerStatement {
  const numbered = namedParameters(sql, APPLICATION_PARAMETER_NAMES);
  if (!('text' in numbered)) {
    const [first] = numbered;
    throw refused(`${first?.problem} (line ${first?.line})`, undefined);
  }
  const { text } = numbered;
  const names = numbered.names as readonly ApplicationParameter[];

  return {
    async run(verbatim, application) {
      const values = names.map((name) => application[name]);
      try {
        await verbatim(text, values);
      } catch (error) {
        throw failure(error);
      }
    },
    async check(database) {
      const nulls = names.map(() => null);
      try {
        await database.transaction((_statements, verbatim) => verbatim(`explain ${text}`, nulls));
      } catch (error) {
        const translated = translateStateError(error, '');
        if (translated.code === 'state-unavailable') throw translated;
        const { message } = (translated.cause ?? translated) as Error;
        // Contains no personal value: all parameters were null.
        const reason = databaseMessage(message).replace(
          /\$(\d+)/g,
          (_match, number: string) => `:${names[Number(number) - 1] ?? number}`,
        );
        throw refused(`was refused by the state database: ${reason}`, error);
      }
    },
  };
}

function refused(problem: string, cause: unknown): SyncError {
  return new SyncError('config-invalid', `The statement of webhook.sql ${problem}.`, {
    scope: 'usage',
    hint: 'docs/webhook.md lists the parameters. If Postgres does not know the type of one, write it: :email::text.',
    cause,
  });
}

/** Ended by `lock_timeout` or `statement_timeout`: the statement takes too long, the database is available. */
const TOO_SLOW = ['55P03', '57014'];

/** Postgres quotes an applicant's values in some messages, so only names and the code are shown. */
function failure(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  const { code = '', constraint, table, column } = error as Partial<Record<string, string>>;
  const translated = translateStateError(error, '');
  if (translated.code === 'state-unavailable' && !TOO_SLOW.includes(code)) return translated;
  const where = [
    code && `SQLSTATE ${code}${TOO_SLOW.includes(code) ? ': it took too long' : ''}`,
    table && `table ${table}`,
    column && `column ${column}`,
    constraint && `constraint ${constraint}`,
  ];
  return new SyncError(
    'state-failed',
    `The statement of webhook.sql failed (${where.filter(Boolean).join(', ')}), so nothing was stored.`,
    {
      scope: 'run',
      hint: 'Fix the statement or its tables. The platform sends the application again.',
      details: { code, withoutValues: true },
      cause: error,
    },
  );
}
