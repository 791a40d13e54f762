import { type Area, AREAS } from '../../../core/domain/names.js';
import { ENTITIES } from '../../../core/entities/index.js';
import { draftable } from '../draftables.js';
import { type LookupFile, lookupsOf } from './lookup-files.js';

/** The drafted `placement-sync.yaml`: what the draft knows, and a line to decide where only a person does. */
export function configText(drafts: readonly Configured[], lookups: readonly LookupFile[]): string {
  const drafted = drafts.map(({ entity }) => draftable(entity).entity.area);
  const areas = AREAS.filter((area) => drafted.includes(area));
  return [
    '# yaml-language-server: $schema=./placement-sync.schema.json',
    '#',
    '# Drafted by `placement-sync init` from the tables of your database. Lines with "decide:" need a person.',
    '# ${NAME} is filled in from the environment (see .env.example). docs/reference/settings.md has every setting.',
    '',
    'source:',
    '  url: ${SOURCE_DATABASE_URL}',
    '  # decide: the zone of your "timestamp without time zone" columns; ask the authors of the application.',
    '  # timeZone: Asia/Jakarta',
    '',
    '# Where the worker stores what it sent. Unset: a schema in the database of source.url, which needs a role that may',
    '# create it.',
    'state:',
    '  url: ${STATE_DATABASE_URL:-}',
    '  schema: ${PLACEMENT_SYNC_SCHEMA:-placement_sync}',
    '',
    '# For keys that are no UUIDs. One for each source database; never change it.',
    'ids:',
    '  namespace: ${PLACEMENT_SYNC_NAMESPACE}',
    '',
    'platform:',
    ...areas.flatMap(areaLines),
    '',
    'entities:',
    ...drafts.flatMap((draft) => entityLines(draft, lookups)),
    '',
  ].join('\n');
}

function areaLines(area: Area): readonly string[] {
  const prefix = PREFIXES[area];
  const titles = ENTITIES.filter((entity) => entity.area === area).map(({ titles }) =>
    titles.en.toLowerCase(),
  );
  return [
    `  ${area}: # ${new Intl.ListFormat('en-GB').format(titles)}`,
    `    baseUrl: \${${prefix}_BASE_URL:-https://sandbox.${prefix.toLowerCase()}.kemnaker.go.id}`,
    `    clientId: \${${prefix}_CLIENT_ID}`,
    `    clientSecret: \${${prefix}_CLIENT_SECRET}`,
  ];
}

/** Its variables are those of `.env.example`. */
const PREFIXES: Readonly<Record<Area, string>> = { jobs: 'JOSS', training: 'TOSS' };

interface Configured {
  readonly entity: string;
  /** Columns with HTML. */
  readonly plainText: readonly string[];
}

function entityLines({ entity, plainText }: Configured, files: readonly LookupFile[]): readonly string[] {
  const { assumedRequired, statusField } = draftable(entity).entity;
  const lookups = lookupsOf(files, entity);
  return [
    `  ${entity}:`,
    `    query: queries/${entity}.sql`,
    ...(lookups.length > 0
      ? ['    lookups:', ...lookups.map(({ column, path }) => `      ${column}: ${path}`)]
      : []),
    ...(plainText.length > 0
      ? ['    # Columns in which HTML was found.', `    plainText: [${plainText.join(', ')}]`]
      : []),
    ...(assumedRequired.includes('region_id')
      ? [
          '    # decide: records whose city has no id are not sent. With - as its id this sends them without a region:',
          '    # required: []',
        ]
      : []),
    `    # What is sent when the query no longer returns a record: nothing, until you set ${statusField === null ? '' : 'close or '}delete.`,
    '    onVanished: report',
    '',
  ];
}

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
