/**
 * Which setting changes what is not specified. Each is a path of the configuration; `*` stands for any of its block. A test
 * looks each up.
 */
type Settings = readonly string[];

/** Text for a cell; `why`: what holds where no setting changes it. */
export function settingsText(settings: Settings, why = ''): string {
  const named = settings.map((setting) => `\`${setting}\``).join(', ');
  if (named === '') return why === '' ? '' : `no setting: ${why}`;
  return why === '' ? named : `${named}; ${why}`;
}

/** What the interface does not specify, and what is done instead. */
interface Gap {
  readonly gap: string;
  readonly done: string;
  readonly settings: Settings;
  /** Where no setting changes it, or a part of it. */
  readonly why?: string;
}

const AREA = 'platform.{jobs,training}';

export const GAPS: readonly Gap[] = [
  {
    gap: 'required fields, lengths, formats of text',
    done: 'key, parent key and name or title are needed; a few more are assumed',
    settings: ['entities.*.required'],
  },
  {
    gap: 'values of gender, marital, min_experience, region type, media',
    done: 'any text passes; a lookup turns your words into the platform’s',
    settings: ['entities.*.lookups'],
  },
  {
    gap: 'lists of industries, job types, job functions, educations, regions',
    done: 'lookups (CSV); `config/reference` has a starter set seen in public answers',
    settings: ['entities.*.lookups'],
  },
  {
    gap: 'style of skill codes: the interface says snake_case, public answers show kebab-case',
    done: 'sent as your query or a lookup gives them',
    settings: ['entities.vacancies.lookups'],
  },
  {
    gap: 'how a vacancy is closed',
    done: '`closed` (assumed: a prototype that one person published counts it; there is no official statement) is put when a record vanishes under `onVanished: close`',
    settings: ['entities.vacancies.closedStatus', 'entities.vacancies.onVanished'],
  },
  {
    gap: 'status `expired` of a vacancy',
    done: 'assumed: the service sets it from `expire_at`; never sent',
    settings: [],
    why: 'after the last day it counts as open',
  },
  {
    gap: 'other statuses: of a vacancy but `open`, of an application but `hired`',
    done: 'a word from the query or a lookup is sent as it is',
    settings: ['entities.vacancies.lookups', 'entities.application-statuses.lookups'],
  },
  {
    gap: 'which changes of a status are allowed',
    done: 'every one is sent; a refused one makes the record `rejected`',
    settings: [],
    why: 'the platform judges them',
  },
  {
    gap: 'whether long texts may hold HTML',
    done: 'sent as they are; plain text in the columns that you name',
    settings: ['entities.*.plainText'],
  },
  {
    gap: 'further fields of Put Training (its published example is cut), and of other bodies',
    done: 'a column of yours fills any field',
    settings: ['entities.*.extraFields'],
  },
  {
    gap: '`institution` in Put Training',
    done: 'assumed: named as a vacancy names its `employer`',
    settings: ['entities.trainings.query'],
  },
  {
    gap: 'whether a field that is left out is cleared or kept',
    done: 'left out: a Put replaces what the platform holds',
    settings: ['platform.absent', `${AREA}.absent`, 'entities.*.absent'],
  },
  {
    gap: 'in which zone local times and days are',
    done: 'Asia/Jakarta',
    settings: ['platform.timeZone'],
  },
  {
    gap: 'hosts',
    done: 'publicly documented; http is refused, and no redirect is followed',
    settings: [`${AREA}.baseUrl`, `${AREA}.allowHttp`],
  },
  {
    gap: 'how a client gets its id and secret',
    done: 'from the operator',
    settings: [`${AREA}.clientId`, `${AREA}.clientSecret`],
  },
  {
    gap: 'form of `Request-Timestamp` in requests',
    done: 'publicly documented: ISO 8601, UTC, whole seconds',
    settings: ['platform.signature.timestamp'],
  },
  {
    gap: 'form of `Signature`, also of webhooks',
    done: 'assumed: [HMAC-SHA-256](sandbox.md#a-signed-request-from-scratch) in base64, behind `HMACSHA256=`',
    settings: [
      'platform.signature.profile',
      'platform.signature.template',
      'platform.signature.secretEncoding',
    ],
  },
  {
    gap: 'which path is signed behind a gateway',
    done: 'the path that is sent',
    settings: ['platform.signature.signedPrefix', 'webhook.signedPath'],
  },
  {
    gap: 'whether the digest of the body is a header too',
    done: 'it is a part of what is signed, and no header',
    settings: ['platform.signature.digestHeader'],
  },
  {
    gap: 'compressed bodies',
    done: 'sent as they are; where they are compressed, the JSON itself is signed',
    settings: ['platform.requestEncoding', 'platform.signature.digestOf'],
  },
  {
    gap: 'conditions (ETag, `If-Match`), and who else may change a record',
    done: 'none is sent: a Put replaces what the platform holds',
    settings: ['platform.precondition'],
  },
  {
    gap: 'accepted window of Request-Timestamp',
    done: 'about 300 s are assumed; the clocks are compared when a request is refused',
    settings: [],
    why: 'the computer’s clock must be right',
  },
  {
    gap: 'further headers, such as the key of a gateway',
    done: '`Accept: application/json`, and a user agent of our own',
    settings: ['platform.headers'],
  },
  {
    gap: 'method and path of deletes, Find Institution and the training operations',
    done: 'the path of the Put; deletes are off',
    settings: ['platform.operations.*.method', 'platform.operations.*.path', 'platform.operations.*.enabled'],
  },
  {
    gap: 'how later versions are chosen',
    done: 'the version is part of the path, `/api/v1`',
    settings: ['platform.operations.*.path'],
  },
  {
    gap: 'statuses of success but 200',
    done: '200 and 201 are accepted; without a body only where the operation names the status',
    settings: ['platform.replies.accepted', 'platform.operations.*.accepted'],
  },
  {
    gap: 'where a reply has the reference that children name',
    done: '`data.reference`',
    settings: ['platform.replies.reference'],
  },
  {
    gap: 'what a repeated Request-Id does',
    done: 'every attempt has a new one; a 409 to a Put is deferred',
    settings: ['platform.replies.judge'],
  },
  {
    gap: 'whether Update Job Application Status may be repeated',
    done: 'only after no reply, and then under the same Request-Id',
    settings: [],
    why: 'a status could be set twice',
  },
  {
    gap: 'whether partners know the ids of applications otherwise than by webhook',
    done: 'a status whose application is not in the inbox is not sent',
    settings: ['entities.application-statuses.requireInbox'],
  },
  {
    gap: 'rate limit',
    done: '10 a second in each area; Retry-After and RateLimit are obeyed, and a 429 halves the rate',
    settings: [`${AREA}.ratePerSecond`, `${AREA}.concurrency`, 'retry.maxPause'],
  },
  { gap: 'time-outs', done: '30 s for each request', settings: [`${AREA}.timeout`] },
  {
    gap: 'payload size, pagination',
    done: 'one record a request; nothing is listed',
    settings: [],
    why: 'a body that is too large is rejected and named',
  },
  {
    gap: 'when an accepted vacancy becomes visible (seconds to days, seen in public answers)',
    done: 'accepted counts as there; a `verify` finds out, where you name the platform’s words for its states',
    settings: ['platform.replies.state', 'entities.companies.settleAfter'],
  },
  {
    gap: 'addresses of pictures (the service hosts them itself, seen in public answers)',
    done: '`verify` compares only whether there is one',
    settings: [],
    why: 'the other address cannot be known',
  },
  {
    gap: 'repeats, time-out and order of webhooks',
    done: 'a repeat is stored once, other data of the same application as a further version; the worker does not depend on an order',
    settings: ['webhook.tolerance'],
  },
  {
    gap: 'which of its two layouts `new-job-application` has',
    done: 'both are accepted; anything else is stored as `unrecognised`',
    settings: [],
    why: 'the layout is recognised',
  },
  {
    gap: 'payload of `job-application-canceled`, and what causes it',
    done: 'kept as received, as `unrecognised`',
    settings: [],
    why: 'the payload is not available',
  },
  {
    gap: 'secret of webhooks',
    done: 'that of the client, or another',
    settings: ['webhook.secrets'],
  },
  {
    gap: 'how a receiver’s address is registered',
    done: 'with the operator; a challenge is refused',
    settings: ['webhook.path', 'webhook.signedPath', 'webhook.challenge'],
  },
  {
    gap: 'names of the four headers of webhooks',
    done: 'those of requests',
    settings: ['webhook.headerNames'],
  },
  {
    gap: 'whether webhooks are compressed, and which bytes are signed then',
    done: 'gzip is read; the bytes as sent or what they hold',
    settings: [],
    why: 'both are tried',
  },
  {
    gap: 'form of the ids in webhooks',
    done: 'UUIDs or whole numbers',
    settings: [],
    why: 'both are read',
  },
];
