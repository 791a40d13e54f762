import { getCookie, setCookie } from 'hono/cookie';
import { type EntityName, type Language, LANGUAGES } from '../domain/names.js';
import type { Access } from './access/access.js';
import type { DashboardRequest } from './dashboard-request.js';
import { withoutDone } from './done-message.js';
import type { Page } from './pages/page.js';
import { createFormat, type Format } from './text/format.js';
import { asLanguage, chooseLanguage, TEXTS } from './text/language.js';

const LANGUAGE = 'placement_sync_language';

/** One year, seconds. */
const LONG = 31_536_000;

/** What is the same on every page, as `DashboardOptions` has it. */
export interface PagesOptions extends Pick<Page, 'navigation' | 'version' | 'holder' | 'runbookUrl'> {
  readonly timeZone: string;
  readonly entities: readonly { readonly name: EntityName }[];
}

/** What every page knows, for each request. */
export function createPages(
  { timeZone, version, holder, entities, runbookUrl, navigation }: PagesOptions,
  access: Access,
): { open(c: DashboardRequest): Page } {
  const formats = new Map<Language, Format>(
    LANGUAGES.map((language) => [language, createFormat(language, timeZone)]),
  );
  return {
    open(c) {
      const asked = c.req.query('lang');
      const language = chooseLanguage(asked, getCookie(c, LANGUAGE), c.req.header('accept-language'));
      if (asLanguage(asked) !== null) {
        setCookie(c, LANGUAGE, language, { path: '/', sameSite: 'Strict', httpOnly: true, maxAge: LONG });
      }
      c.header('Content-Language', language);
      return {
        language,
        texts: TEXTS[language],
        format: formats.get(language) ?? createFormat(language, timeZone),
        path: withoutDone(c.req.url),
        formToken: access.formToken(c),
        loggedIn: access.hasToken && c.req.header('authorization') === undefined && access.isLoggedIn(c),
        version,
        runbookUrl,
        holder,
        entities: entities.map(({ name }) => name),
        navigation,
      };
    },
  };
}
