import { withoutDone } from './done-message.js';

const PAGES = /^\/(records?|report|runs(\/[0-9a-f-]+)?|inbox|tenant)?$/;

/** The page to go back to, if it is one of ours; else the overview: a form could name any address. Pure. */
export function localPath(asked: string | undefined): string {
  if (asked === undefined || !URL.canParse(asked, 'http://dashboard')) return '/';
  const { origin, pathname } = new URL(asked, 'http://dashboard');
  return origin === 'http://dashboard' && PAGES.test(pathname) ? withoutDone(asked) : '/';
}
