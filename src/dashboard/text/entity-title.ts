import { ENTITIES } from '../../entities/index.js';

/** Title of an entity; its name, if only another version of the program knows it. */
export function entityTitle(name: string, language: 'en' | 'id'): string {
  return ENTITIES.find((each) => each.name === name)?.titles[language] ?? name;
}
