import type { HtmlEscapedString } from 'hono/utils/html';
import type { EntityName, Language } from '../../domain/names.js';
import type { Format } from '../text/format.js';
import type { Texts } from '../text/texts.js';

/** Text of a page; everything from outside is escaped. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What every page knows about its reader and the process that it comes from. */
export interface Page {
  readonly language: Language;
  readonly texts: Texts;
  readonly format: Format;
  /** Path and query of this page, without the message of a button. */
  readonly path: string;
  /** Goes into every form. */
  readonly formToken: string;
  /** Whether the page has a button to log out. */
  readonly loggedIn: boolean;
  readonly version: string;
  /** Address of the runbook, without a section. */
  readonly runbookUrl: string;
  /** `host pid 123` of this process. */
  readonly holder: string;
  /** Configured entities, parents first; of a fleet none. */
  readonly entities: readonly EntityName[];
  /** What stands in the head beside the name. */
  readonly navigation: (page: Page) => Markup;
}
