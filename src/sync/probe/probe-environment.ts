import type { Area } from '../../domain/names.js';
import { configuredEnvironments } from '../environment/check-environment.js';
import type { RunSettings } from '../run-settings.js';

/** The platform that observations are about: address and client id. */
export function probeEnvironment(settings: RunSettings, area: Area): string {
  const found = configuredEnvironments(settings).find((each) => each.area === area);
  return found === undefined ? area : `${found.baseUrl} as ${found.clientId}`;
}
