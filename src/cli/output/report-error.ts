import type { Transport } from '../../core/config/read-transport.js';
import { ERROR_CODES, SyncError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import type { Area } from '../../core/domain/names.js';
import { describeCertificate, readClientCertificate } from '../../core/runtime/client-certificate.js';
import { writeError } from './write.js';

/** Prints what went wrong and what to do, for people. Gives the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof SyncError) {
    writeError(`error: ${error.message}${error.hint ? `\n  → ${error.hint}` : ''}`);
    return ERROR_CODES[error.code];
  }
  writeError(`error: ${traceOf(error)}\n  → This is a defect. Please report it with the lines above.`);
  return 1;
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function emitError(error: unknown, emit: Emit): number {
  if (error instanceof SyncError) {
    const { code, message, hint } = error;
    emit({ type: 'command-failed', code, message, hint });
    return ERROR_CODES[code];
  }
  emit({
    type: 'command-failed',
    code: 'unexpected',
    message: traceOf(error),
    hint: 'A server that does not answer may be the cause. If all servers answer, please report it.',
  });
  return ERROR_CODES.unexpected;
}

export function unwritable({ code = 'unknown' }: NodeJS.ErrnoException): SyncError {
  const why = code === 'ENOSPC' ? 'the disk is full' : code;
  return new SyncError('unexpected', `The result could not be written to standard output: ${why}.`, {
    scope: 'run',
    hint: 'The command did its work. Free some space, then look with: placement-sync status',
  });
}

/** Reports what kept the process alive after its work (`left`); `log`: where standard error is JSON. */
export function warnOfLeft(left: string, log: Emit | undefined): void {
  const message = `The process did not end by itself after its work: it had ${left} open. It ends now.`;
  const hint = 'The exit code is that of the command. This is a defect. Please report it.';
  if (log) log({ type: 'warning', message, hint });
  else writeError(`warning: ${message}\n  → ${hint}`);
}

/** How requests to an area travel, a line for each thing; empty: directly, and with the usual certificates. */
export function describeTransport(
  area: Area,
  { proxy, certificates, certificateFile, clientCertificate, adapter }: Transport,
): string[] {
  const known = (pem: string, file: string): string => {
    const { name, validTo } = describeCertificate(pem);
    return `${name}, valid until ${validTo.toISOString().slice(0, 10)} (${file})`;
  };
  return [
    ...(proxy === null
      ? []
      : [`${area}: requests go through the proxy ${proxy.address} (${proxy.namedBy}).`]),
    ...certificates.map((pem) => `${area}: trusts ${known(pem, certificateFile ?? '')}.`),
    ...(clientCertificate === null
      ? []
      : [
          `${area}: shows the client certificate ${known(readClientCertificate(clientCertificate).cert, clientCertificate.cert)}.`,
        ]),
    ...(adapter === null ? [] : [`${area}: the adapter ${adapter} decides where the platform differs.`]),
  ];
}
