import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { planted, secretsIn } from '../security/planted.js';
import { configFolder, refusalOf, SMALL } from './config-folder.js';
import { loadConfig } from '../../src/config/load.js';

const INLINE = planted('inline');
const WHOLE = `${SMALL}webhook: { secrets: [SECRETS] }
http: { admin: { token: TOKEN } }
notify: { url: 'URL', secret: NOTIFY, smtp: { url: 'SMTP', from: a@b.example, to: [b@b.example] } }
`
  .replace('SECRETS', planted('webhook'))
  .replace('TOKEN', planted('token'))
  .replace('URL', `https://hooks.example/${planted('path')}`)
  .replace('NOTIFY', planted('notify'))
  .replace('SMTP', `smtps://ops:${planted('mail')}@mail.example`)
  .replace('reader:pw@', `reader:${planted('database')}@`);

/** What stands in the file, and what somebody wrote in its place. */
const SLIPS: readonly (readonly [string, string])[] = [
  ['secret-key', `"${INLINE}`],
  ['secret-key', `'${INLINE}' ${INLINE}`],
  ['secret-key', `${INLINE}: x\n     ${INLINE}`],
  ['secret-key', `@${INLINE}`],
  ['secret-key', `*${INLINE}`],
  ['secret-key', `!${INLINE} x`],
  ['secret-key', `"\\${INLINE}"`],
  ['secret-key', `[${INLINE}]`],
  ['secret-key', `{ word: ${INLINE} }`],
  ['secret-key', `\${${INLINE}}`],
  ['secret-key', `\${NAME:${INLINE}`],
  ['secret-key', `"${INLINE}\\n"`],
  ['clientSecret: secret-key', `clientSecret: ${INLINE}\n    clientSecret: ${INLINE}`],
  ['clientSecret: secret-key', `clientSecrets: ${INLINE}`],
  ['https://jobs.example', `https://${INLINE}:${INLINE}@jobs.example`],
  ['postgres://', `mysql://u:${INLINE}@db/x?password=${INLINE}#`],
  ['postgres://', `postgres://u:${INLINE}@db:${INLINE}/`],
  // A password that begins like a port, or not at all, and has what ends a host.
  ...['12/', '/', '?', '12?', '#', '12#'].map(
    (start) => ['postgres://reader:', `postgres://reader:${start}${INLINE}`] as const,
  ),
  ['postgres://reader:', `postgres://reader@domain:12/${INLINE}`],
  ['secrets: [', `secrets: ['', "${INLINE}\\n", {a: ${INLINE}}, `],
  ['token: ', `token: [${INLINE}] #`],
  ['https://hooks.example/', `http://hooks.example/${INLINE}/`],
  ['https://hooks.example/', `${INLINE} `],
  ['smtps://', `smtpz://${INLINE}:${INLINE}@`],
  ['smtps://', `smtp://${INLINE}:${INLINE}@mail.example:${INLINE}/`],
];

it.each(SLIPS)('a slip at %j is told without what was written there (%#)', (from, to) => {
  expect(WHOLE).toContain(from);
  const folder = configFolder({ 'config.yaml': WHOLE.replace(from, to) });
  const error = refusalOf(() => loadConfig({ file: 'config.yaml', env: {}, cwd: folder }));
  expect(secretsIn(inspect(error, { depth: 20, breakLength: Infinity }))).toEqual([]);
});

it('the whole configuration without a slip is accepted, and printed with every secret masked', () => {
  const config = loadConfig({ file: 'config.yaml', env: {}, cwd: configFolder({ 'config.yaml': WHOLE }) });
  expect(secretsIn(JSON.stringify([config.masked(), config.warnings]))).toEqual([]);
  for (const name of ['webhook', 'token', 'path', 'notify', 'mail', 'database'])
    expect(config.secrets(), name).toContain(planted(name));
});

it('a secret in a file is left out of what is said of that file', () => {
  const yaml = SMALL.replace('secret-key', '${KEY}');
  const folder = configFolder({ 'config.yaml': yaml, key: `${INLINE}\n${INLINE}` });
  for (const env of [{ KEY: INLINE, KEY_FILE: 'key' }, { KEY_FILE: 'key' }, { KEY_FILE: 'none' }]) {
    const error = refusalOf(() => loadConfig({ file: 'config.yaml', env, cwd: folder }));
    expect(secretsIn(inspect(error, { depth: 20 }))).toEqual([]);
  }
});
