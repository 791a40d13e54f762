import { areaSettings, dialectOf } from '../../config/schema.js';
import type { LoadedConfig } from '../../config/load.js';
import { FIRST_CONTACT_AREA, firstContact } from '../../entities/index.js';
import type { ProbeOptions } from '../../sync/probe/run-probe.js';
import { configuredEntities } from './configured-entities.js';
import { configuredOperations } from './configured-operations.js';
import { findEnabled } from './find-enabled.js';

/**
 * What a first contact needs of the configuration. `vacancy` undefined: none is sent. Errors: SyncError `usage` when
 * the entity of a named record is not configured.
 */
export function probeOptions(
  config: LoadedConfig,
  { company, vacancy }: { readonly company: string; readonly vacancy: string | undefined },
): ProbeOptions {
  const { settings } = config;
  const kinds = firstContact();
  const of = ({ name }: { readonly name: string }) => {
    const [found] = configuredEntities(config, [name]);
    if (found === undefined) throw new TypeError(`${name} is not configured`);
    return found;
  };
  const parent = { entity: of(kinds.parent), key: company };
  const child = vacancy === undefined ? null : { entity: of(kinds.child), key: vacancy };

  const { replies } = dialectOf(settings.platform, FIRST_CONTACT_AREA);
  const operations = configuredOperations(settings);
  const accepted = (operation: string) => operations[operation]?.accepted ?? replies.accepted;
  const area = settings.platform[FIRST_CONTACT_AREA];
  return {
    named: { parent, child },
    rules: {
      encrypted: area?.baseUrl.startsWith('https:') ?? false,
      accepted: { parent: accepted(kinds.parent.put), child: accepted(kinds.child.put) },
      empty: operations[kinds.parent.put]?.accepted ?? [],
      reference: replies.reference,
      judge: replies.judge,
      ratePerSecond: area?.ratePerSecond ?? null,
      own: areaSettings(settings.platform, FIRST_CONTACT_AREA)?.own,
    },
    isReadable: findEnabled(config),
    secrets: config.secrets(),
  };
}
