import { z } from 'zod';
import { NOTICE_KINDS } from '../../domain/notice.js';
import { choice, duration, secretText } from '../setting-types.js';

const ADDRESS = '[^\\s@<>,;:"\\x00-\\x1f\\x7f]+@[^\\s@<>,;:"\\x00-\\x1f\\x7f]+';
const TO = new RegExp(`^${ADDRESS}$`);
const FROM = new RegExp(`^(${ADDRESS}|[^\\x00-\\x1f\\x7f<>,;:"@]+ <${ADDRESS}>)$`);

const smtp = z
  .strictObject({
    url: z
      .string()
      .refine(
        isMailServer,
        'must be an address such as smtp://user:password@mail.example.com:587 or smtps://…:465; in the password, write special characters percent-encoded',
      )
      .meta({ secret: 'address' }),
    from: z
      .string()
      .regex(FROM, 'must be an e-mail address, or a name with one: placement-sync <sync@example.com>'),
    to: z.array(z.string().regex(TO, 'must be an e-mail address')).min(1, 'must name at least one address'),
  })
  .nullable()
  .default(null)
  .meta({
    type: 'a block { url, from, to }',
    secret: 'whole',
    description: `Mail server, sender and list of receivers of notices. \`smtp://\` changes to TLS by STARTTLS; \`smtps://\` uses TLS from the start.`,
  });

/** The notices for people without a monitoring stack, and how they are sent. */
export const notifySettings = z
  .strictObject({
    url: z
      .string()
      .refine(isWebAddress, 'must be an https:// address without user and password')
      .nullable()
      .default(null)
      .meta({
        type: 'an address',
        secret: 'whole',
        description: `Receives each notice as JSON by POST; see docs/notices.md.`,
      }),
    secret: secretText().nullable().default(null).meta({
      description: `Signs the notices to \`url\` (HMAC-SHA256). Null: they are not signed.`,
    }),
    smtp,
    staleAfter: duration().prefault('1h').meta({
      description: `An entity without success for this long is stale. Choose more than the time between two sweeps.`,
    }),
    on: z
      .array(choice(NOTICE_KINDS))
      .default([...NOTICE_KINDS])
      .meta({
        type: `a list of ${NOTICE_KINDS.join(', ')}`,
        description: `Which notices are sent: an entity is held, an area refuses the credentials, an entity is stale, and the end of each of these.`,
      }),
  })
  .transform(({ staleAfter, ...rest }) => ({ ...rest, staleAfterMs: staleAfter }))
  .prefault({});

function isWebAddress(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

/** Scheme, host and port only, with user and password or neither. */
function isMailServer(value: string): boolean {
  if (!/^smtps?:\/\/\S+$/.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname, pathname, search, hash } = new URL(value);
  try {
    const decoded = decodeURIComponent(username) + decodeURIComponent(password);
    if (/[\x00-\x1f\x7f]/.test(decoded)) return false;
  } catch {
    return false;
  }
  const bare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return hostname !== '' && bare && (username === '') === (password === '');
}
