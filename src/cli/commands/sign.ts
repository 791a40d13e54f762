import { randomUUID } from 'node:crypto';
import { areaSettings } from '../../config/schema.js';
import { requestTimestamp } from '../../contract/time.js';
import { bodyBytes, chooseSignature, digestHeaderValue } from '../../contract/signature.js';
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
  const given = flags.body === undefined ? null : readBody(flags.body);
  const bytes = given === null ? null : bodyBytes(given, area.requestEncoding);
  const { digestOf, digestHeader } = area.signature;
  const body = bytes?.[digestOf] ?? null;
  const profile = chooseSignature(area.signature);
  const input = {
    method,
    clientId: area.clientId,
    requestId: flags.requestId ?? randomUUID(),
    timestamp:
      flags.timestamp ?? requestTimestamp(Date.now(), area.signature.timestamp, settings.platform.timeZone),
    requestTarget: requestTarget(area.baseUrl, path, area.signature.signedPrefix),
    body,
  };
  const stringToSign = profile.stringToSign(input);
  const names = area.signature.headerNames;
  const headers = {
    [names.clientId]: input.clientId,
    [names.requestId]: input.requestId,
    [names.timestamp]: input.timestamp,
    [names.signature]: profile.signature(input, area.clientSecret),
    ...(digestHeader === null || bytes === null
      ? {}
      : { [digestHeader.name]: digestHeaderValue(bytes[digestHeader.of], digestHeader.form) }),
    ...(bytes === null || area.requestEncoding === 'identity'
      ? {}
      : { 'Content-Encoding': area.requestEncoding }),
  };
  if (flags.json) writeJson({ profile: profile.name, digest: profile.digest(body), stringToSign, headers });
  else {
    const sent = requestTarget(area.baseUrl, path);
    const signed = `Signed path: ${input.requestTarget} (platform.signature.signedPrefix)`;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    writeOut(
      [
        `Request: ${method} ${sent}`,
        ...(sent === input.requestTarget ? [] : [signed]),
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
