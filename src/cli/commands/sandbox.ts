import { SyncError } from '../../domain/errors.js';
import { readFaultsFile } from '../../config/faults/read-faults.js';
import { DEFAULT_CLIENT } from '../../sandbox/sandbox-options.js';
import { listensOnLoopback } from '../../runtime/loopback.js';
import { untilAborted } from '../../runtime/until-aborted.js';
import { startSandbox } from '../../sandbox/start-sandbox.js';
import { rehearsedPlatform } from '../compose/rehearsed-platform.js';
import { io } from '../io.js';
import { writeError, writeOut } from '../output/write.js';
import type { Handler } from '../command-action.js';

interface SandboxFlags {
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly extraFields?: boolean;
  readonly data?: string;
  readonly faults?: string;
}

/** A local copy of the platform, for rehearsal. */
export const sandboxCommand: Handler = async ({ command, signal }) => {
  const { host, allowHost, port, clientId, clientSecret, extraFields, data, faults } =
    command.opts<SandboxFlags>();
  const { signature, operations, timeZone } = rehearsedPlatform(command);
  const client = { clientId, secret: clientSecret };
  const sandbox = await startSandbox({
    host,
    allowHosts: allowHost,
    port,
    clients: { jobs: client, training: client },
    profile: signature.profile,
    template: signature.template ?? null,
    operations,
    timeZone,
    extraFields: extraFields ? 'accept' : 'refuse',
    ...(data === undefined ? {} : { data }),
    ...(faults === undefined ? {} : { faults: readFaultsFile(faults, io().cwd) }),
    onDataFailure: (error) =>
      writeError(`What the sandbox holds could not be written, and is tried again: ${error.message}`),
  }).catch((error: unknown) => {
    throw cannotListen(error, host, port);
  });
  if (!listensOnLoopback(host)) {
    writeError(
      `warning: ${host} is not this machine alone: what the sandbox holds and its journal are open to everyone who reaches it, and its secrets are public. Send it no real applicants.`,
    );
  }
  writeOut(
    [
      `The sandbox listens on ${sandbox.url}, for both areas.`,
      `Client id ${clientId}, client secret ${clientSecret === DEFAULT_CLIENT.secret ? `${clientSecret}: these are no secrets` : 'as given'}.`,
      data === undefined
        ? 'It forgets everything when it ends, and the ledger does not: rehearse with a state.schema of its own.'
        : `What it holds outlives it in ${data}. Rehearse with a state.schema of its own, which stays in step with that.`,
      `The interface as OpenAPI 3.1: ${sandbox.url}/_sandbox/openapi.json`,
      ...(faults === undefined
        ? []
        : [`It makes the faults of ${faults}; to see or change them: ${sandbox.url}/_sandbox/faults`]),
      `What it holds, and its request journal: ${sandbox.url}/_sandbox`,
    ].join('\n'),
  );
  await untilAborted(signal);
  await sandbox.close();
  return 0;
};

/** What listening fails with, as something that its user can mend. */
function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new SyncError('usage', `${host} is no address of this machine.`, {
      scope: 'usage',
      hint: 'Choose another with --host; 127.0.0.1 is for this machine alone, 0.0.0.0 is all of its addresses.',
    });
  }
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'ERR_SOCKET_BAD_PORT') return error;
  const why = {
    EADDRINUSE: 'is taken by another process',
    EACCES: 'needs more rights',
    ERR_SOCKET_BAD_PORT: 'does not exist; 0 to 65535',
  }[code];
  return new SyncError('usage', `Port ${port} ${why}.`, {
    scope: 'usage',
    hint: 'Choose another with --port; 0 takes any free one.',
  });
}
