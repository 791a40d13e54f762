import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { OPERATION_METHODS } from '../../contract/operation.js';
import { readRequestTimestamp, REQUEST_TIMESTAMP_FORMS } from '../../contract/time.js';
import { AREAS } from '../../domain/names.js';
import type { CommandAction } from '../command-action.js';

const METHODS: readonly string[] = OPERATION_METHODS;

/** How `sign` is called. */
export function signUsage(action: CommandAction): Command {
  return new Command('sign')
    .description('print the string to sign and the headers of a request; never the secret')
    .addHelpText(
      'after',
      '\nExample: placement-sync sign PUT /api/v1/employers/0b7c.../company --body company.json',
    )
    .addArgument(
      new Argument('<method>', 'method of the request, in upper or lower case')
        .choices(METHODS)
        .argParser(methodArgument),
    )
    .argument(
      '<path>',
      'path without host, such as /api/v1/employers/{id}/company; the path of the base address comes before it',
    )
    .addOption(new Option('--area <area>', 'area whose credentials sign').choices(AREAS).default('jobs'))
    .option('--body <file>', 'file with the body; -: standard input')
    .option('--request-id <id>', 'default: a new UUID', requestIdArgument)
    .option('--timestamp <time>', 'such as 2022-09-22T01:51:00Z; default: now', timestampArgument)
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/sign.js')).signCommand));
}

function methodArgument(value: string): string {
  const method = value.toUpperCase();
  if (!METHODS.includes(method)) throw new InvalidArgumentError(`Expected one of ${METHODS.join(', ')}.`);
  return method;
}

function requestIdArgument(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new InvalidArgumentError('Expected one or more ASCII characters without blanks.');
  return value;
}

function timestampArgument(value: string): string {
  if (REQUEST_TIMESTAMP_FORMS.every((form) => readRequestTimestamp(value, form) === null))
    throw new InvalidArgumentError(
      'Expected a time in UTC: 2022-09-22T01:51:00Z, 2022-09-22T01:51:00.123Z, or the Unix time, 1663811460.',
    );
  return value;
}
