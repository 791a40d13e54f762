import { judgeReply } from '../../../core/domain/reply/judge-reply.js';
import { valueAt } from '../../../core/domain/reply/refusal.js';
import {
  CACHE_HINT,
  cachedFind,
  clockSkew,
  describeClockSkew,
  failureCause,
  isLasting,
  type NoReply,
  oneLineUpTo,
  type Reply,
  webPage,
} from '../../../core/domain/reply/reply.js';
import { causeText } from '../../../core/domain/trouble/stop-causes.js';
import { readDatabaseAddress, strictMode } from '../../../core/runtime/database-address.js';
import { hostInAddress, isLoopback } from '../../../core/runtime/loopback.js';
import { generalCheck } from '../check.js';
import type { AreaFacts, ClientCertificateFacts, TriedFind } from '../facts.js';
import { fail, judged, pass, undone, type Verdict, warn } from '../finding.js';

/**
 * Checks of the surroundings: the source's server and role, the state, the platform's addresses and
 * credentials.
 */

export const connection = generalCheck({
  id: 'connection',
  levels: ['warn', 'fail'],
  looksAt: 'whether the source can be reached with `source.url`, and its texts have an encoding',
  judge({ source, settings }) {
    if ('cause' in source) return [fail(source.cause, source.hint ?? 'Check source.url.')];
    const { server, tables } = source.value;
    if (server.encoding === 'SQL_ASCII')
      return [
        warn(
          `the database ${server.database} has the encoding SQL_ASCII, so nothing checks its texts: one byte that is not UTF-8 in a row stops the whole query`,
          'Convert the texts in the queries, or correct such rows: docs/queries.md, “Values that do not fit”.',
        ),
      ];
    const zone = settings.source.sessionTimeZone ?? server.timeZone;
    return [
      pass(
        `Postgres ${majorVersion(server.versionNumber)}, database ${server.database}, role ${server.role}, ${tables.length} tables and views; the session's time zone is ${zone}`,
      ),
    ];
  },
});

function majorVersion(number: number): string {
  return `${Math.floor(number / 10_000)}.${number % 10_000}`;
}

const HINT =
  'A role that may only read is enough: create role placement_sync_reader login; grant usage on schema … and select on the tables of the queries to it.';

export const rights = generalCheck({
  id: 'rights',
  levels: ['warn'],
  looksAt: 'whether the role of `source.url` may do more than read',
  judge: ({ source }) =>
    judged(source, ({ server, writable }) => {
      if (server.superuser) return [warn(`the role ${server.role} is a superuser`, HINT)];
      if (writable.length === 0) return [pass(`the role ${server.role} may only read`)];
      const names = `${writable.join(', ')}${writable.length === 5 ? ', …' : ''}`;
      return [
        warn(
          `the role ${server.role} may change data in ${names}`,
          `${HINT} The state tables may need another role: state.url.`,
        ),
      ];
    }),
});

export const tls = generalCheck({
  id: 'tls',
  levels: ['warn'],
  looksAt: 'whether the connection to the source is encrypted, unless it stays on this computer',
  judge: ({ source, settings }) =>
    judged(source, ({ server }) => {
      const address = readDatabaseAddress(settings.source.url);
      if (address === null || 'problem' in address) return [];
      const { host, sslmode } = address;
      if (server.encrypted && sslmode === 'no-verify' && !isLoopback(hostInAddress(host)))
        return [
          warn(
            'the connection to the source is encrypted, but sslmode=no-verify does not look whose server it is: anybody on the way can be it',
            'Write sslmode=verify-full into source.url, with sslrootcert for an authority of your own (docs/start.md).',
          ),
        ];
      const strict = strictMode(address);
      const counts = strict === null ? '' : `; sslmode=${strict} counts as verify-full`;
      if (server.encrypted) return [pass(`the connection to the source is encrypted${counts}`)];
      if (host.startsWith('/') || isLoopback(hostInAddress(host)))
        return [pass('not encrypted; the source is on this computer')];
      return [
        warn(
          'the connection to the source is not encrypted: everybody on the way can read the password and the data',
          'Add sslmode=verify-full to source.url (docs/deploy.md).',
        ),
      ];
    }),
});

export const state = generalCheck({
  id: 'state',
  levels: ['warn', 'fail'],
  looksAt:
    'whether the state database can be reached and written and is UTF8, its tables belong to this version, and the ledger to the configured platform',
  judge({ state: known }) {
    if ('cause' in known) {
      return [
        warn(
          known.cause,
          known.hint ??
            'Set state.url to a database in which the worker may make tables. plan and run need it.',
        ),
      ];
    }
    const { unmigrated, mayCreate, differences, readOnly = null, unfit = null } = known.value;
    const verdicts: Verdict[] = differences.map((difference) =>
      fail(difference, 'run refuses to begin: see placement-sync adopt --environment (docs/operate.md).'),
    );
    if (readOnly !== null) verdicts.push(fail(readOnly.message.replace(/\.$/, ''), readOnly.hint));
    if (unfit !== null) verdicts.push(fail(unfit.message, unfit.hint));
    else if (unmigrated !== null) verdicts.push(unmigratedVerdict(unmigrated, mayCreate));
    return verdicts.length > 0 ? verdicts : [pass('the state schema is up to date')];
  },
});

function unmigratedVerdict(message: string, mayCreate: boolean | null): Verdict {
  const text = message.replace(/\.$/, '');
  if (mayCreate === false) {
    return warn(
      `${text}, and the role of state.url may not make them`,
      'Set state.url to another database or role; then placement-sync migrate.',
    );
  }
  return warn(text, 'placement-sync migrate (run and start also take --migrate).');
}

export const adapter = generalCheck({
  id: 'adapter',
  levels: ['fail'],
  looksAt: 'whether a module of your own (`platform.adapter`) decides, and can be loaded',
  judge: ({ areas }) =>
    areas.flatMap(({ area, adapter: used }) => {
      if (used === null) return [];
      if ('problem' in used)
        return fail(
          `${area}: the adapter cannot be used: ${used.problem}`,
          'Correct the module that platform.adapter names.',
        );
      return pass(`${area}: the adapter ${used.file} is in use (${used.functions.join(', ')})`);
    }),
});

export const clientCertificate = generalCheck({
  id: 'client-certificate',
  levels: ['warn', 'fail'],
  looksAt: 'whether the certificate of `platform.clientCertificate` can be shown, and how long it is valid',
  judge: ({ areas }) =>
    areas.flatMap(({ area, clientCertificate: shown }) =>
      shown === null ? [] : certificateVerdict(area, shown),
    ),
});

/** Whoever renews certificates does it a month before their end; then somebody still has time to look why not. */
const RENEWED_BEFORE_MS = 14 * 24 * 60 * 60 * 1000;

const RENEW = 'Renew it: the worker reads new files without a restart.';

function certificateVerdict(area: string, shown: ClientCertificateFacts): Verdict {
  if ('problem' in shown)
    return fail(
      `${area}: the client certificate cannot be shown: ${shown.problem}`,
      'Correct platform.clientCertificate.',
    );
  const { name, file, validTo, leftMs } = shown;
  const day = validTo.toISOString().slice(0, 10);
  if (leftMs < 0)
    return fail(`${area}: the client certificate ${name} (${file}) has expired (${day})`, RENEW);
  const text = `${area}: the client certificate ${name} (${file}) is valid until ${day}`;
  return leftMs < RENEWED_BEFORE_MS ? warn(text, RENEW) : pass(text);
}

/** Longest text of an address. */
const LONGEST_ADDRESS = 45;

/** Our address as the platform sees it, which its operator may have to allow; null: the reply does not say. */
function ourAddress(reply: Reply): string | null {
  const address = reply.kind === 'answered' ? valueAt(reply.json, 'meta.client_ip') : null;
  return typeof address === 'string' && address.trim() !== '' ? oneLineUpTo(LONGEST_ADDRESS, address) : null;
}

/** An outage passes; what no later attempt changes, and a proxy in the way, is a failure. */
function noReply({ area, baseUrl }: AreaFacts, reply: NoReply): Verdict {
  const name = `${area}: ${new URL(baseUrl).host}`;
  const cause = failureCause(reply) ?? 'no-reply';
  const { says = '', hint = '' } = causeText(cause, 'en') ?? {};
  if (cause === 'proxy' || isLasting(cause))
    return fail(`${name} cannot be used as configured (${reply.code}): ${reply.message}`, `${says} ${hint}`);
  return warn(
    `${name}: ${says.replace(/\.$/, '')} (${reply.code})`,
    `${hint} Check platform.${area}.baseUrl, the proxy and the firewall (docs/deploy.md).`,
  );
}

export const platformClock = generalCheck({
  id: 'platform-clock',
  levels: ['warn'],
  looksAt: 'whether our clock agrees with the one of the platform, from the `Date` of its replies',
  judge: ({ areas }) =>
    areas.flatMap(({ area, finds, untried }) => {
      if (untried !== null) return [];
      const skews = finds.map(({ reply }) =>
        reply.kind === 'answered' && !reply.cache ? clockSkew(reply.date, reply.receivedAt) : null,
      );
      const known = skews.find((skew) => skew !== null);
      if (known === undefined) return undone(`${area}: no reply has a Date header`);
      const words = describeClockSkew(known);
      return words === null
        ? pass(`${area}: our clock agrees with the platform's`)
        : warn(`${area}: ${words}`, 'Synchronise the clock of this computer (NTP): signatures hold a time.');
    }),
});

export const credentials = generalCheck({
  id: 'credentials',
  levels: ['warn', 'fail'],
  looksAt:
    'whether the platform answers and accepts the signature: one signed Find of each kind with an id that nobody has, which changes nothing',
  judge: ({ areas }) => [
    ...areas.flatMap((area) =>
      area.untried === null ? area.finds.map((tried) => judgeFind(area, tried)) : [],
    ),
    ...untriedVerdict(areas),
  ],
});

/** One for all areas; the check `platform-clock` then says nothing. */
function untriedVerdict(areas: readonly AreaFacts[]): readonly Verdict[] {
  const causes = areas.flatMap(({ area, untried }) => (untried === null ? [] : [`${area}: ${untried}`]));
  return causes.length === 0 ? [] : [undone(causes.join('; '))];
}

function judgeFind(facts: AreaFacts, { operation, reply }: TriedFind): Verdict {
  const name = `${facts.area}, ${operation}`;
  if (reply.kind !== 'answered') return noReply(facts, reply);
  if (reply.cache)
    return warn(`${name}: ${cachedFind(reply.cache)}, so the signature was not tried`, CACHE_HINT);
  const address = ourAddress(reply);
  const seenAs = address === null ? '' : `; it sees us as ${address}`;
  const judgement = judgeReply(reply, { method: 'GET', now: reply.receivedAt });
  const { status, html, date, receivedAt } = reply;
  if (judgement.kind === 'stopped') {
    const skew = describeClockSkew(clockSkew(date, receivedAt));
    const cause = skew === null ? seenAs : `; ${skew}${seenAs}`;
    const says = skew === null ? causeText(judgement.cause, 'en')?.says : undefined;
    return fail(
      `${name}: ${says === undefined ? 'the platform refused the request' : says.replace(/\.$/, '')} (HTTP ${status})${cause}`,
      judgement.hint,
    );
  }
  if (status === 404 && !html) return pass(`${name}: signature accepted, no such record (HTTP 404)${seenAs}`);
  const { says, hint } =
    causeText(('cause' in judgement ? judgement.cause : null) ?? (html ? 'page' : null), 'en') ?? {};
  if (says !== undefined && hint !== undefined)
    return warn(
      `${name}: ${says.replace(/\.$/, '')} (HTTP ${status}${html ? `, ${webPage(reply.text)}` : ''})`,
      html ? `${hint} The paths are in platform.operations.` : hint,
    );
  if (judgement.kind === 'accepted')
    return warn(
      `${name}: the platform answered with a record for an id that nobody has (HTTP ${status})`,
      'Read-backs (verify, adopt) cannot be trusted there. placement-sync probe shows more.',
    );
  return warn(
    `${name}: the platform answered HTTP ${status} to a Find of an unknown id`,
    'placement-sync probe shows what this platform does otherwise, and the setting for it.',
  );
}
