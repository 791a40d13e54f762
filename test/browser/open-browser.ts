import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { CHROMIUM_PATH } from './check-browser.js';

const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page of a browser of its own, and what that browser complained of. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the console, and errors of scripts: a refused load is one of them. */
  readonly complaints: readonly string[];
}

/** Opens a browser for one test; it ends with the test. */
export async function openBrowser(
  options: BrowserContextOptions = {},
): Promise<{ newPage(more?: BrowserContextOptions): Promise<OpenedPage> }> {
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: SWITCHES });
  onTestFinished(() => browser.close());
  return {
    async newPage(more = {}) {
      const context = await browser.newContext({ locale: 'en-US', ...options, ...more });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      return { page, complaints };
    },
  };
}
