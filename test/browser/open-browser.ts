import axe from 'axe-core';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
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
interface OpenedPage {
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

/** What keeps somebody out, by the rules of axe. The page must have been opened with `bypassCSP`. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  return found;
}

export function scrollsSideways(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

/** Words of headings and short columns that stand on two lines. */
export async function brokenWords(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const broken = [];
    for (const cell of document.querySelectorAll('th:not(.long), td:not(.long)')) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        for (const { index, 0: word } of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}.,]+/gu)) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  })()`);
}
