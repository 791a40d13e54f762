import { randomUUID } from 'node:crypto';
import { areaSettings } from '../../core/config/schema.js';
import { requestTimestamp } from '../../core/contract/time.js';
import { HEADER_NAMES } from '../../core/contract/request-headers.js';
import { signatureProfile } from '../../core/contract/signature.js';
import type { Area } from '../../core/domain/names.js';
import { SyncError, usageError } from '../../core/domain/errors.js';
import type { LoadedConfig } from '../../core/config/load.js';
import type { HttpPlatform } from '../../core/platform/http-platform.js';
import { commandContext } from '../command-context.js';
import { readBody } from '../io.js';
import { writeJson, writeOut } from '../output/write.js';
import { requestTarget } from '../arguments.js';
import type { Handler } from '../common-options.js';
import { configuredOperations, openPlatforms } from '../compose/open-platforms.js';

interface SignFlags {
  readonly area: Area;
  readonly body?: string;
  readonly requestId?: string;
  readonly timestamp?: string;
  readonly json?: boolean;
}

/** Shows how a request is signed, for comparing with another implementation. */
export const signCommand: Handler = async ({ command, arguments: [method = '', path = ''] }) => {
  const flags = command.opts<SignFlags>();
  const { config } = commandContext(command);
  const { settings } = config;
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
  if (config.transport[flags.area]?.adapter) {
    const { requestId, requestTarget: sent } = input;
    return signAdapted(config, { area: flags.area, method, path: sent, requestId, body }, flags);
  }
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

/** What leaves after the adapter, which may have signed otherwise: then nobody but it knows what was signed. */
async function signAdapted(
  config: LoadedConfig,
  request: Omit<Parameters<HttpPlatform['leaving']>[0], 'operation'>,
  { timestamp, json = false }: SignFlags,
): Promise<number> {
  const adapter = config.transport[request.area]?.adapter;
  if (timestamp !== undefined)
    throw usageError('--timestamp has no use with an adapter, which takes the time of now.', 'Leave it out.');
  const platforms = openPlatforms(config);
  try {
    const operation = operationAt(config, request);
    const leaving = await platforms.leaving(request.area, { ...request, operation });
    if ('failure' in leaving)
      throw new SyncError('adapter-failed', `The adapter failed: ${leaving.failure}`, { scope: 'run' });
    const { method, path, headers, body } = leaving;
    const bytes = body === null ? null : Buffer.from(body);
    if (json) writeJson({ adapter, method, path, headers, body: bytes?.toString('base64') ?? null });
    else {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const length = bytes === null ? [] : ['', `Body: ${bytes.length} bytes (--json has them)`];
      writeOut(
        [`Request: ${method} ${path}`, '', `Headers, after ${adapter}:`, ...lines, ...length].join('\n'),
      );
    }
    return 0;
  } finally {
    await platforms.close();
  }
}

/** The operation with this method and path; empty: none has them. */
function operationAt(
  config: LoadedConfig,
  { area, method, path }: { readonly area: Area; readonly method: string; readonly path: string },
): string {
  const fits = (its: string): boolean => {
    const [before = '', after = ''] = its.split('{id}');
    return path.includes(before) && path.endsWith(after) && path.length > before.length + after.length;
  };
  const all = Object.values(configuredOperations(config.settings));
  return all.find((one) => one.area === area && one.method === method && fits(one.path))?.name ?? '';
}
