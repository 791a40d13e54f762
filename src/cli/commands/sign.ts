import { randomUUID } from 'node:crypto';
import { areaSettings } from '../../config/schema.js';
import { requestTimestamp } from '../../contract/time.js';
import { HEADER_NAMES } from '../../contract/request-headers.js';
import { signatureProfile } from '../../contract/signature.js';
import type { Area } from '../../domain/names.js';
import { usageError } from '../../domain/errors.js';
import { commandContext } from '../command-context.js';
import { readBody } from '../io.js';
import { writeJson, writeOut } from '../output/write.js';
import { requestTarget } from '../arguments.js';
import type { Handler } from '../common-options.js';

interface SignFlags {
  readonly area: Area;
  readonly body?: string;
  readonly requestId?: string;
  readonly timestamp?: string;
  readonly json?: boolean;
}

/** Shows how a request is signed, for comparing with another implementation. */
export const signCommand: Handler = ({ command, arguments: [method = '', path = ''] }) => {
  const flags = command.opts<SignFlags>();
  const { settings } = commandContext(command).config;
  const area = areaSettings(settings.platform, flags.area);
  if (!area) {
    throw usageError(`platform.${flags.area} is not configured.`, 'Choose another --area.');
  }
  const body = flags.body === undefined ? null : readBody(flags.body);
  const profile = signatureProfile(area.signature.profile);
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
    [HEADER_NAMES.clientId]: input.clientId,
    [HEADER_NAMES.requestId]: input.requestId,
    [HEADER_NAMES.timestamp]: input.timestamp,
    [HEADER_NAMES.signature]: profile.signature(input, area.clientSecret),
  };
  if (flags.json) writeJson({ profile: profile.name, digest: profile.digest(body), stringToSign, headers });
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
  return 0;
};
