/**
 * What makes an address of the web or of e-mail one that leads nowhere: `example.com`, `.example`, `test@…`. Null: it may be
 * real.
 */
export function reservedName(address: string): string | null {
  const host = HOST.exec(address.trim())?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
  const domain = DOMAIN.exec(host)?.[1];
  if (domain !== undefined) return domain;
  const ending = ENDING.exec(host)?.[1];
  if (ending !== undefined && (address.includes('@') || host.includes('.') || ending === 'localhost'))
    return ending === 'localhost' ? ending : `.${ending}`;
  return TEST_MAILBOX.test(address.trim()) ? 'test@…' : null;
}

const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@\s]*@)?([^/?#:@\s]+)/i;
/** Nobody can be reached at one of them (RFC 2606). */
const DOMAIN = /(?:^|\.)(example\.(?:com|net|org))$/;
const ENDING = /(?:^|\.)(example|test|invalid|localhost)$/;
/** What people type in to see whether the form works. */
const TEST_MAILBOX = /^test\d*@/i;

/** Whether a title or a name is what somebody typed to see how the program works: `tes`, `PT Test`, `TES LOWONGAN`, `test - cook`. */
export function isTestText(text: string): boolean {
  return TEST_TEXTS.some((pattern) => pattern.test(text.trim()));
}

const TEST_TEXTS = [
  /^(?:(?:pt|cv|ud|pd|yayasan|koperasi)\.? )?(?:te?st?(?:ing)?|asdf\w*|qwert\w*|coba(?: coba)?|dummy|contoh|x{3,}|a{3,}|123+)(?:[ _-]*\d+)?$/i,
  // Before what it tests. A test engineer and a training in tests of the mind are none.
  /^(?:test?(?:ing)?|coba) (?:lowongan|loker|job|vacancy|posting|post|batch|angkatan|pelatihan|training|course|kelas|company|perusahaan|akun|data|input)\b/i,
  /^test?(?:ing)? ?[-–:] /i,
  /lorem ipsum|^(?:demo|dummy|sandbox)\b|\b(?:demo|dummy|sandbox)$/i,
];
