import { randomUUID } from 'node:crypto';
import { areaSettings } from '../../config/schema.js';
import type { LoadedConfig } from '../../config/load.js';
import type { Area } from '../../domain/names.js';
import { configuredRules } from '../../domain/reply/reply-rules.js';
import { ENTITIES } from '../../entities/index.js';
import type { AreaFacts, TriedFind } from '../../onboarding/doctor/facts.js';
import { findEnabled } from './find-enabled.js';
import type { OpenedPlatforms } from './open-platforms.js';

/**
 * One Find of each configured kind of the area, with an id that nobody has: it changes nothing, and shows whether the
 * signature is accepted. Ends at the first request without a reply, because the others would wait as long.
 */
export async function tryArea(
  config: LoadedConfig,
  platforms: Pick<OpenedPlatforms, 'platform' | 'rateLimit'>,
  area: Area,
): Promise<AreaFacts> {
  const settings = areaSettings(config.settings.platform, area);
  if (settings === undefined) throw new TypeError(`platform.${area} is not configured`);
  const facts = { area, baseUrl: settings.baseUrl, rules: configuredRules(settings.replies) };
  const unset = config.unsetCredentials.get(area) ?? [];
  if (unset.length > 0) return { ...facts, finds: [], untried: unsetText(unset) };
  const isReadable = findEnabled(config);
  const readable = ENTITIES.filter(
    (entity) => entity.area === area && entity.readBack && isReadable(entity.name),
  );
  const configured = readable.filter(({ name }) => config.entities.has(name));
  // Application statuses have no Find of their own; one of another entity proves the signature as well.
  const kinds = configured.length > 0 ? configured : readable.slice(0, 1);
  const finds: TriedFind[] = [];
  const rateLimit = platforms.rateLimit(area, 0);
  for (const { name, readBack } of kinds) {
    if (readBack === null) continue;
    const request = {
      operation: readBack.find,
      platformId: randomUUID(),
      requestId: randomUUID(),
      body: null,
    };
    const reply = await rateLimit.schedule(({ written }) =>
      platforms.platform(area).send({ ...request, onWritten: written }),
    );
    finds.push({ entity: name, operation: readBack.find, reply });
    if (reply.kind !== 'answered') break;
  }
  return {
    ...facts,
    finds,
    untried: finds.length === 0 ? 'no Find is enabled (platform.operations)' : null,
  };
}

function unsetText(names: readonly string[]): string {
  return names.length === 1
    ? `the environment variable ${names.join('')} is not set`
    : `the environment variables ${names.join(', ')} are not set`;
}
