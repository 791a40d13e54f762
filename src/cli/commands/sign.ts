import { randomUUID } from 'node:crypto';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { readRequestTimestamp, requestTimestamp } from '../../contract/request-timestamp.js';
import { chooseSignature } from '../../contract/signature-profiles.js';
import { AREAS, type Area } from '../../domain/area.js';
import { SyncError } from '../../domain/errors.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { readBody } from '../read-body.js';
import { writeJson, writeOut } from '../output/write.js';
import { requestTarget } from '../request-target.js';

const METHODS: readonly string[] = ['GET', 'PUT', 'PATCH', 'DELETE'];

interface SignFlags {
  readonly area: Area;
  readonly body?: string;
  readonly requestId?: string;
  readonly timestamp?: string;
  readonly json?: boolean;
}

/** Shows how a request is signed, for comparing with another implementation. */
export function signCommand(action: CommandAction): Command {
  return new Command('sign')
    .description('print the string to sign and the headers of a request; never the secret')
    .addHelpText(
      'after',
      '\nExample: placement-sync sign PUT /api/v1/employers/0b7c.../company --body company.json',
    )
    .addArgument(
      new Argument('<method>', 'of the request, in any case').choices(METHODS).argParser(methodArgument),
    )
    .argument(
      '<path>',
      'path without host, such as /api/v1/employers/{id}/company; the path of the base address is put before it',
    )
    .addOption(new Option('--area <area>', 'whose credentials').choices(AREAS).default('jobs'))
    .option('--body <file>', 'file with the body, - for standard input')
    .option('--request-id <id>', 'default: a new UUID', requestIdArgument)
    .option('--timestamp <time>', 'such as 2022-09-22T01:51:00Z; default: now', timestampArgument)
    .option('--json', 'print as one JSON object')
    .action(
      action(({ command, arguments: [method = '', path = ''] }) => {
        const flags = command.opts<SignFlags>();
        const { settings } = commandContext(command).config;
        const area = settings.platform[flags.area];
        if (!area) {
          throw new SyncError('usage', `platform.${flags.area} is not configured.`, {
            scope: 'usage',
            hint: 'Choose another --area.',
          });
        }
        const body = flags.body === undefined ? null : readBody(flags.body);
        const profile = chooseSignature(settings.platform.signature);
        const input = {
          method,
          clientId: area.clientId,
          requestId: flags.requestId ?? randomUUID(),
          timestamp: flags.timestamp ?? requestTimestamp(Date.now()),
          requestTarget: requestTarget(area.baseUrl, path),
          body,
        };
        const stringToSign = profile.stringToSign(input);
        const headers = {
          'Client-Id': input.clientId,
          'Request-Id': input.requestId,
          'Request-Timestamp': input.timestamp,
          Signature: profile.signature(input, area.clientSecret),
        };
        if (flags.json)
          writeJson({ profile: profile.name, digest: profile.digest(body), stringToSign, headers });
        else {
          const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
          writeOut(
            [
              `Request: ${method} ${input.requestTarget}`,
              '',
              'String to sign:',
              stringToSign,
              '',
              'Headers:',
              ...lines,
            ].join('\n'),
          );
        }
        return Promise.resolve(0);
      }),
    );
}

function methodArgument(value: string): string {
  const method = value.toUpperCase();
  if (!METHODS.includes(method)) throw new InvalidArgumentError(`One of ${METHODS.join(', ')} is wanted.`);
  return method;
}

function requestIdArgument(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new InvalidArgumentError('Plain characters without blanks are wanted, at least one.');
  return value;
}

function timestampArgument(value: string): string {
  if (readRequestTimestamp(value) === null)
    throw new InvalidArgumentError('A time in UTC is wanted, with whole seconds: 2022-09-22T01:51:00Z.');
  return value;
}
