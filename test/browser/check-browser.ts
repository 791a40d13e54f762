import { existsSync } from 'node:fs';

/** Where the browser is: Debian's package, unless said otherwise. */
export const CHROMIUM_PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Global set-up: says once how to get a browser, instead of failing test by test. */
export default function checkBrowser(): void {
  if (existsSync(CHROMIUM_PATH)) return;
  throw new Error(
    `There is no browser at ${CHROMIUM_PATH}. On Debian install it with: apt-get install -y chromium. Elsewhere set CHROMIUM_PATH to a Chromium.`,
  );
}
