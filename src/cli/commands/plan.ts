import { planNow } from '../plan-now.js';
import type { Handler } from '../command-action.js';

/** What `run` would send; writes nothing. */
export const planCommand: Handler = ({ command, signal }) => {
  const flags = command.opts<{ entity: string[]; limit?: number; diff?: boolean; json?: boolean }>();
  const { entity, limit, diff = false, json = false } = flags;
  return planNow(command, signal, { entity, json, limit, diff });
};
