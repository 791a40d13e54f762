/**
 * The `.env.example` of a draft: of the variables of the program's example those that the drafted configuration reads, and
 * those that the program reads itself.
 *
 * @param example the program's own file
 * @param file path of the drafted configuration
 */
export function variablesText(
  example: string,
  configuration: string,
  { file, namespace }: { readonly file: string; readonly namespace: string | null },
): string {
  const read = new Set([...configuration.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
  const [header = '', ...blocks] = example.trimEnd().split('\n\n');
  const kept = blocks.flatMap((block) => {
    const name = /^#? ?([A-Z_]+)=/m.exec(block)?.[1] ?? '';
    if (name === 'PLACEMENT_SYNC_CONFIG') return [`# The configuration file.\nPLACEMENT_SYNC_CONFIG=${file}`];
    return read.has(name) ? [block] : [];
  });
  return [header.replace(/config\/placement-sync\.example\.yaml/, file), ...kept, '']
    .join('\n\n')
    .replace(/\n+$/, '\n')
    .replace(/^(PLACEMENT_SYNC_NAMESPACE=)$/m, `$1${namespace ?? ''}`);
}
