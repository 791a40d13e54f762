/** Where a setting is in the configuration: keys, and numbers for list items. */
export type SettingPath = readonly (string | number)[];

/** One problem of the configuration, in words for the operator. Never contains the value of a secret. */
export interface Problem {
  readonly path: SettingPath;
  readonly message: string;
  /** Where the path does not give the place, such as in a syntax error. */
  readonly line?: number | undefined;
  /** Beside `line`. */
  readonly column?: number | undefined;
}

/** `platform.jobs.baseUrl`, `webhook.secrets[0]`; empty for the whole file. */
export function pathText(path: SettingPath): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

/** Whether `path` is `ancestor` or lies inside of it. */
export function isWithin(path: SettingPath, ancestor: SettingPath): boolean {
  return ancestor.every((part, index) => path[index] === part);
}

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

/** The entries of an object; of anything else none. */
export function entriesOf(value: unknown): [string, unknown][] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}
