import { createHash } from 'node:crypto';
import { ICON } from './assets/icon.js';
import { REPORT_STYLE } from './assets/report-style.js';
import { SCRIPT } from './assets/script.js';
import { STYLE } from './assets/style.js';

interface Asset {
  readonly type: string;
  readonly text: string;
}

const ASSETS = {
  'dashboard.css': { type: 'text/css; charset=utf-8', text: STYLE + REPORT_STYLE },
  'dashboard.js': { type: 'text/javascript; charset=utf-8', text: SCRIPT },
  'icon.svg': { type: 'image/svg+xml', text: ICON },
} as const satisfies Readonly<Record<string, Asset>>;

export type AssetName = keyof typeof ASSETS;

/** What a page loads. It is the same for everybody, so it needs no token. */
export const ASSET_NAMES = Object.keys(ASSETS) as readonly AssetName[];

export function asset(name: AssetName): Asset {
  return ASSETS[name];
}

/** Its address. It changes with the content, so browsers may keep the file forever. */
export function assetPath(name: AssetName): string {
  return `/${name}?v=${createHash('sha256').update(ASSETS[name].text).digest('hex').slice(0, 12)}`;
}
