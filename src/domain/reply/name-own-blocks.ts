import type { Area } from '../area.js';

/** Blocks of `platform` that an area has of its own; each replaces the common one as a whole. */
export interface OwnBlocks {
  readonly area: Area;
  readonly blocks: readonly string[];
}

/** Our own text with the settings as they have to be written: in the area's block where that is what counts. Pure. */
export function nameOwnBlocks(text: string, own: OwnBlocks | undefined): string {
  if (own === undefined || own.blocks.length === 0) return text;
  return text.replace(/\bplatform\.(\w+)/g, (whole, block: string) =>
    own.blocks.includes(block) ? `platform.${own.area}.${block}` : whole,
  );
}
