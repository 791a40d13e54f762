import type { Mutant } from '../mutant.js';

const ENDS = 'A command ends with its work';
const WEBHOOK = 'A webhook is stored once, and before it is answered';
const SECRETS = 'Secrets and personal data';

const EXCHANGE = 'src/platform/exchange.ts';
const ACCESS = 'src/dashboard/access/access.ts';
const ACCESS_TEST = 'test/dashboard/access.test.ts';

/** What comes from others: replies, webhooks, people at the dashboard; and what they may see. */
export const LISTENERS: readonly Mutant[] = [
  {
    promise: ENDS,
    rule: 'Interim replies without end do not keep a request.',
    file: EXCHANGE,
    from: 'const MOST_INTERIM_REPLIES = 20;',
    to: 'const MOST_INTERIM_REPLIES = Infinity;',
    test: 'test/platform/hostile-replies.test.ts',
  },
  {
    promise: ENDS,
    rule: 'A reply that came before the request was sent does not mean its payload.',
    file: EXCHANGE,
    from: 'statusCode >= 200 && statusCode <= 299 && !sent.writableFinished',
    to: 'false',
    test: 'test/platform/hostile-replies.test.ts',
  },
  {
    promise: WEBHOOK,
    rule: 'A webhook is answered only after it is stored.',
    file: 'src/webhook/receive-webhook.ts',
    from: 'inboxInTime(options.storeTimeoutMs, stored)',
    to: `Promise.resolve<'stored'>('stored')`,
    test: 'test/webhook/start-webhook.test.ts',
    title: 'is answered 503',
  },
  {
    promise: WEBHOOK,
    rule: 'Your statement and the inbox are committed together or not at all.',
    file: 'src/state/inbox/inbox.ts',
    from: 'await statement?.run(verbatim, stored);',
    to: 'await statement?.run(verbatim, stored).catch(() => undefined);',
    test: 'test/webhook/start-webhook.test.ts',
    title: 'rolls everything back',
  },
  {
    promise: WEBHOOK,
    rule: 'Two hundred connections are the most, and a newcomer takes the place of who has waited longest.',
    file: 'src/webhook/start-webhook.ts',
    from: 'options.maxConnections ?? 200',
    to: 'options.maxConnections ?? 2_000',
    test: 'test/webhook/hostile-senders.test.ts',
    title: 'have 200 connections together',
  },
  {
    promise: WEBHOOK,
    rule: 'A webhook is compared with every secret, whichever fits.',
    file: 'src/webhook/is-authentic.ts',
    from: 'secrets.filter((secret) => verifySignature(profile, input, secret, head.signature)).length > 0',
    to: 'secrets.some((secret) => verifySignature(profile, input, secret, head.signature))',
    test: 'test/webhook/is-authentic.test.ts',
  },
  {
    promise: SECRETS,
    rule: 'The password of an address without user is masked.',
    file: 'src/config/mask.ts',
    from: `if (url.password !== '')`,
    to: `if (url.username !== '')`,
    test: 'test/config/mask.test.ts',
  },
  {
    promise: SECRETS,
    rule: 'A percent-encoded password is scrubbed in both forms.',
    file: 'src/config/secrets.ts',
    from: 'return [password, decoded(password), ...parameters];',
    to: 'return [password, ...parameters];',
    test: 'test/config/secrets.test.ts',
  },
  {
    promise: SECRETS,
    rule: 'An application status is named by the id of the application, not by the md5 of an address.',
    file: 'src/entities/record-name.ts',
    from: 'return shown === key ? key : (platformId ?? shown);',
    to: 'return key;',
    test: 'test/domain/key/record-name.test.ts',
  },
  {
    promise: SECRETS,
    rule: 'A session gets a name of its own: one that another site planted opens nothing.',
    file: ACCESS,
    from: 'const visit = giveVisit(context);',
    to: 'const visit = visitOf(context);',
    test: ACCESS_TEST,
    title: 'a session gets a name of its own',
  },
  {
    promise: SECRETS,
    rule: 'Behind a proxy with TLS the cookies are sent over TLS only.',
    file: ACCESS,
    from: 'secure: context',
    to: 'unknown: context',
    test: ACCESS_TEST,
    title: 'behind a proxy with TLS',
  },
  {
    promise: SECRETS,
    rule: 'After the log-in only a page of ours follows.',
    file: 'src/dashboard/log-in-routes.ts',
    from: `if (outcome === 'welcome') return c.redirect(localPath(back), 303);`,
    to: `if (outcome === 'welcome') return c.redirect(back ?? '/', 303);`,
    test: ACCESS_TEST,
    title: 'who logs in goes to the overview',
  },
  {
    promise: SECRETS,
    rule: 'A page of another host is none of ours, whatever its path.',
    file: 'src/dashboard/local-path.ts',
    from: `origin === 'http://dashboard' && `,
    to: '',
    test: 'test/dashboard/local-path.test.ts',
  },
  {
    promise: SECRETS,
    rule: 'A path of ours that is no page is no target.',
    file: 'src/dashboard/local-path.ts',
    from: '(pathname) ?',
    to: `('/') ?`,
    test: 'test/dashboard/local-path.test.ts',
  },
];
