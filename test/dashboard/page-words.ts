/** What a reader sees of a page, on one line. */
export function pageWords(page: string): string {
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ');
}

/** The address of the first link with this text. */
export function linkTo(page: string, text: string | RegExp): string {
  for (const [, path = '', words = ''] of page.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a/g)) {
    const seen = pageWords(words).trim();
    if (typeof text === 'string' ? seen === text : text.test(seen)) return path.replaceAll('&amp;', '&');
  }
  throw new Error(`no link "${String(text)}"`);
}
