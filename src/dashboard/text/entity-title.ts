import { ENTITIES } from '../../entities/index.js';

/** What people call an entity; its name for one that only a former version or a newer one knew. */
export function entityTitle(name: string, language: 'en' | 'id'): string {
  return ENTITIES.find((each) => each.name === name)?.titles[language] ?? name;
}
