import { usageError } from '../../core/domain/errors.js';
import { FAULTS_FILE } from '../../features/sandbox/faults-file.js';
import { DEFAULT_CLIENT } from '../../features/sandbox/sandbox-options.js';
import { listensOnLoopback } from '../../core/runtime/loopback.js';
import { untilAborted } from '../../core/runtime/time.js';
import { startSandbox } from '../../features/sandbox/start-sandbox.js';
import { rehearsedPlatform } from '../compose/open-platforms.js';
import { io } from '../io.js';
import { writeError, writeOut } from '../output/write.js';
import type { Handler } from '../common-options.js';

interface SandboxFlags {
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly strict: boolean;
  readonly lenient?: boolean;
  readonly faults?: string;
}

export const sandboxCommand: Handler = async ({ command, signal }) => {
  const {
    host,
    port,
    clientId,
    clientSecret,
    strict,
    lenient = false,
    faults,
  } = command.opts<SandboxFlags>();
  const { dialects, operations, timeZone } = rehearsedPlatform(command);
  const client = { clientId, secret: clientSecret };
  const sandbox = await startSandbox({
    host,
    port,
    clients: { jobs: client, training: client },
    dialects,
    operations,
    timeZone,
    strict: strict && !lenient,
    ...(faults === undefined ? {} : { faults: FAULTS_FILE.read(faults, io().cwd) }),
  }).catch((error: unknown) => {
    throw cannotListen(error, host, port);
  });
  if (!listensOnLoopback(host)) {
    writeError(
      `warning: Other machines can reach ${host}. Everyone there can read the sandbox's data and journal, and its secrets are public. Send it no real applicants.`,
    );
  }
  writeOut(
    [
      `The sandbox listens on ${sandbox.url}, for both areas.`,
      `Client id ${clientId}, client secret ${clientSecret === DEFAULT_CLIENT.secret ? `${clientSecret}: these are no secrets` : 'as given'}.`,
      'It forgets everything when it ends, but the ledger does not. Rehearse with a separate state.schema.',
      `The interface as OpenAPI 3.1: ${sandbox.url}/_sandbox/openapi.json`,
      ...(faults === undefined
        ? []
        : [`It makes the faults of ${faults}. See or change them: ${sandbox.url}/_sandbox/faults`]),
      `Its data and request journal: ${sandbox.url}/_sandbox`,
    ].join('\n'),
  );
  await untilAborted(signal);
  await sandbox.close();
  return 0;
};

function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return usageError(
      `${host} is not an address of this machine.`,
      'Choose another with --host: 127.0.0.1 for this machine only, 0.0.0.0 for all its addresses.',
    );
  }
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'ERR_SOCKET_BAD_PORT') return error;
  const why = {
    EADDRINUSE: 'is taken by another process',
    EACCES: 'needs more rights',
    ERR_SOCKET_BAD_PORT: 'does not exist; 0 to 65535',
  }[code];
  return usageError(`Port ${port} ${why}.`, 'Choose another with --port. 0 takes any free one.');
}
