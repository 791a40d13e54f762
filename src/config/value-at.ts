import type { SettingPath } from './problem.js';

/** What parsed data holds at a path; undefined when it holds nothing there. */
export function valueAt(data: unknown, path: SettingPath): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      value !== null && typeof value === 'object' && Object.hasOwn(value, part)
        ? (value as Readonly<Record<string | number, unknown>>)[part]
        : undefined,
    data,
  );
}
