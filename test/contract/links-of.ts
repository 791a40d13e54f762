import { DEFAULT_REPLY_SETTINGS, type ReplyLinks } from '../../src/domain/reply/reply.js';
import { entity } from '../../src/entities/index.js';
import { readLinks } from '../../src/platform/read-reply.js';

/** The links that `data` of the entity's Find shows. */
export function linksOf(name: string, data: unknown): ReplyLinks {
  const operation = { name: entity(name).readBack?.find ?? '', kind: 'GET' } as const;
  return readLinks({ data }, { operation, platformId: '', settings: DEFAULT_REPLY_SETTINGS });
}
