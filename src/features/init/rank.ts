import { compareText } from '../../core/domain/text.js';
import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import { groupedBy } from '../catalog/read-catalog.js';
import { type Draftable, draftable, DRAFTABLES } from './draftables.js';
import { findLinks, keyColumns, type Link, linkShare } from './links.js';
import { columnMatches } from './rank/column-matches.js';
import { findStem, isAboutPeople, plainName, stems, wordsOf } from './words.js';

/** Entities whose tables are looked for, children first: a parent is easier to know by the child that names it. */
const CHILDREN_FIRST = [...DRAFTABLES].reverse();

/** Schemas with copies of what is elsewhere. */
const OLD =
  /(^|_)(archive|arsip|backup|bak|old|staging|stage|tmp|temp|test|log|logs|history|audit|import|dwh|report)(_|$)/i;

/** What a name is worth; below `ENOUGH` a table is no candidate. */
const SURE = 10;
const MAYBE = 6;
const LINKED = 6;
/** By way of one table between. */
const NEAR = 4;
/** Of a table that the child names, whatever it is called, when it has what such a record has. */
const STRANGE = 4;
const TELLS = 5;
const ENOUGH = 11;

/** Candidate tables of each entity, the likeliest first. */
export type Ranking = ReadonlyMap<string, readonly Candidate[]>;

/**
 * The second step of `init`: which table may hold the records of which entity. A table scores by the stems of its name, its
 * columns, its rows, and how many tables name it. Children come first: a table that the best vacancy (or training) names
 * as its employer gains by that. At last no table is likeliest for two entities. An entity without candidate is left out.
 *
 * @param keyless whether tables count whose key is not known yet
 */
export function rank(catalog: Catalog, keyless = false): Ranking {
  const found = findLinks(catalog);
  const links: LinksOf = {
    from: groupedBy(found, ({ from }) => from.oid),
    to: groupedBy(found, ({ to }) => to.oid),
  };
  const usable = catalog.tables.filter(
    (table) => (keyless || keyColumns(table) !== null) && isUsable(table, links),
  );
  const prefix = commonPrefixes(catalog.tables);
  const ranked = new Map<string, readonly Candidate[]>();
  for (const entity of CHILDREN_FIRST) {
    const child = entity.entity.parent === null ? entity.rival : undefined;
    const best = child === undefined ? undefined : ranked.get(child)?.[0]?.table;
    const neighbours = best ? neighboursOf(best, links) : new Set<number>();
    const candidates = usable
      .filter(({ oid }) => oid !== best?.oid)
      .map((table): Candidate => {
        const references = new Set(links.to(table.oid).map(({ from }) => from.oid)).size;
        const linked = best ? linkValue(entity, best, table, links, neighbours) : 0;
        const name = Math.max(nameValue(entity, table.name, prefix), linked > 0 ? STRANGE : 0);
        const size = sizeValue(table, references) - (OLD.test(table.schema) ? 4 : 0);
        const score = name === 0 ? 0 : name + linked + columnValue(entity, table) + size;
        return { table, references, score, linked: linked > 0, taken: null };
      })
      .filter(
        ({ score, table }) =>
          score >= ENOUGH &&
          // Without vacancies, companies have nothing to offer, unless a table is called so; likewise institutions.
          (child === undefined || best !== undefined || nameValue(entity, table.name, prefix) >= SURE),
      )
      .sort((a, b) => b.score - a.score || compareText(a.table.title, b.table.title));
    if (candidates.length > 0) ranked.set(entity.name, candidates.slice(0, 9));
  }
  return oneEntityEach(ranked);
}

/** Links by the table that has them, and by the one that they name. */
interface LinksOf {
  readonly from: (oid: number) => readonly Link[];
  readonly to: (oid: number) => readonly Link[];
}

/** Columns of a queue of background jobs. */
const QUEUE_WORDS = 'payload attempt queue handler run_at worker args reserved_at cron job_clas'.split(' ');

/** Not of people, readable, more than links to other tables, and not a queue of background jobs. */
function isUsable(table: CatalogTable, links: LinksOf): boolean {
  if (!table.selectable || isAboutPeople(table)) return false;
  const names = table.columns.map(({ name }) => plainName(name));
  if (QUEUE_WORDS.filter((word) => names.includes(word)).length >= 2) return false;
  const linking = new Set(links.from(table.oid).map(({ column }) => column));
  return table.columns.some(
    ({ name, kind }) =>
      !linking.has(name) && ['text', 'json'].includes(kind) && !table.primaryKey?.includes(name),
  );
}

/** First words that three tables or more share: `jobs_vacancy`, `jobs_company`, `jobs_city`. */
function commonPrefixes(tables: readonly CatalogTable[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [first = ''] = wordsOf(name);
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= 3).map(([word]) => word));
}

function nameValue(entity: Draftable, name: string, prefixes: ReadonlySet<string>): number {
  const words = wordsOf(name);
  const short = words.length > 1 && prefixes.has(words[0] ?? '') ? words.slice(1) : words;
  return Math.max(wordsValue(entity, words), short === words ? 0 : wordsValue(entity, short));
}

/** Words that stand beside a name without changing it. */
const NEUTRAL = new Set(
  'tbl tb tab t m mst master ref trx tr v vw app data detail info main list record item entry kerja profile profil base public published active all mdl hr wp res core api web portal id en kelas program posting training course job company provider'.split(
    ' ',
  ),
);

function wordsValue(entity: Draftable, words: readonly string[]): number {
  const { sure, maybe } = entity;
  const surely = findStem(words, sure);
  const at = surely >= 0 ? surely : findStem(words, maybe);
  if (at < 0) return 0;
  const value = surely >= 0 ? SURE : MAYBE;
  const others = words.filter((word, place) => place !== at && findStem([word], sure) < 0);
  // `job_skill` is a list of skills, `kategori_lowongan` one of categories.
  if (others.some((word) => findStem([word], CHILD_WORDS) >= 0)) return 0;
  const behind = words.slice(at + 1);
  // `company_xyz` is something of a company; `lowongan_kerja` is a vacancy.
  if (behind.some((word) => findStem([word], [...sure, ...maybe]) < 0 && !NEUTRAL.has(word)))
    return rival(entity, words, at) ? 1 : value - 3;
  return rival(entity, words, at) ? value - 5 : value;
}

/**
 * Whether the name means the other entity: in English the last word decides (`company_jobs`, `training_provider`), in
 * Indonesian the first (`lembaga_pelatihan`, `lowongan_perusahaan`).
 */
function rival(entity: Draftable, words: readonly string[], at: number): boolean {
  const sure = entity.rival === undefined ? [] : draftable(entity.rival).sure;
  const other = findStem(
    words.filter((_, place) => place !== at),
    sure,
  );
  if (other < 0) return false;
  const indonesian = findStem(words, [['lembaga'], ['balai'], ['lowongan'], ['penyelenggara']]) === 0;
  return indonesian ? at > 0 : at < words.length - 1;
}

/** How much the child's link to this table says that it is the parent: more, the more of its rows name it. */
function linkValue(
  entity: Draftable,
  child: CatalogTable,
  table: CatalogTable,
  links: LinksOf,
  neighbours: ReadonlySet<number>,
): number {
  const own = links.from(child.oid);
  const direct = own.filter(({ to }) => to.oid === table.oid);
  const isCalledSo = (name: string) => findStem(wordsOf(name), [...entity.sure, ...entity.maybe]) >= 0;
  if (direct.length === 0 && !neighbours.has(table.oid)) return 0;
  if (
    !direct.some(({ column }) => isCalledSo(column)) &&
    !isCalledSo(table.name) &&
    columnValue(entity, table) < TELLS
  )
    return 0;
  return direct.length === 0 ? NEAR : LINKED * (linkShare(child, table, own) ?? 1) ** 2;
}

/** Tables beyond one other: by a table of pairs, for vacancies of several employers, or by way of a branch or unit. */
function neighboursOf(child: CatalogTable, links: LinksOf): ReadonlySet<number> {
  const between = new Set([
    ...links.to(child.oid).map(({ from }) => from.oid),
    ...links.from(child.oid).map(({ to }) => to.oid),
  ]);
  return new Set([...between].flatMap((oid) => links.from(oid).map(({ to }) => to.oid)));
}

/** What the columns say: a title, a text, a last day. */
function columnValue(entity: Draftable, table: CatalogTable): number {
  const found = new Set(columnMatches(entity, table).map(({ target }) => target));
  const value = Object.entries(entity.telling).reduce(
    (sum, [target, worth]) => sum + (found.has(target) ? worth : 0),
    0,
  );
  return found.has('name') || found.has('title') ? value : -8;
}

function sizeValue({ rows, kind }: CatalogTable, references: number): number {
  const size = rows === null ? 0 : rows === 0 ? -6 : 1.5 * Math.log10(1 + rows);
  return size + 2 * Math.log2(1 + references) - (kind.includes('view') ? 3 : 0);
}

/**
 * No table is taken for two entities unasked: the one whose records below were found has it, of two such the one with the
 * higher score. The other takes the next that its own records name; where there is none, only a person may choose.
 */
function oneEntityEach(ranking: Ranking): Ranking {
  const isFound = ({ entity: { parent }, rival = '' }: Draftable) => parent !== null || ranking.has(rival);
  const order = DRAFTABLES.filter(({ name }) => ranking.has(name)).toSorted(
    (a, b) =>
      Number(isFound(b)) - Number(isFound(a)) ||
      (ranking.get(b.name)?.[0]?.score ?? 0) - (ranking.get(a.name)?.[0]?.score ?? 0),
  );
  const result = new Map<string, readonly Candidate[]>();
  const taken = new Map<number, string>();
  for (const { name } of order) {
    const marked = (ranking.get(name) ?? []).map((each): Candidate => ({
      ...each,
      taken: taken.get(each.table.oid) ?? null,
    }));
    const isNext = (candidate: Candidate) => Number(candidate.linked && candidate.taken === null);
    const sorted = marked[0]?.taken === null ? marked : marked.toSorted((a, b) => isNext(b) - isNext(a));
    const [first] = sorted;
    if (first?.taken === null) taken.set(first.table.oid, name);
    result.set(name, sorted);
  }
  return new Map(
    DRAFTABLES.flatMap(({ name }) => (result.has(name) ? [[name, result.get(name) ?? []]] : [])),
  );
}

/** A table with one of these words describes something of an entity, or lists what it may be: it is not the entity. */
const CHILD_WORDS =
  stems(`type, tipe, category, kategori, jenis, kind, status, state, skill, keahlian, keterampilan, kompetensi, competency,
  tag, label, translation, terjemahan, i18n, lang, language, locale, log, history, riwayat, audit, version, revision, archive, backup, bak, tmp, temp, old,
  view, visit, click, impression, bookmark, favorite, favourite, saved, wishlist, alert, notification, notifikasi, message, pesan, review, ulasan,
  rating, comment, komentar, attachment, lampiran, document, dokumen, media, image, gambar, file, berkas, foto, photo, video, question, pertanyaan, quiz, answer, answer,
  education, pendidikan, experience, pengalaman, certificate, sertifikat, payment, pembayaran, invoice, order item, address, alamat,
  kontak, contact, branch, cabang, location, lokasi, benefit, tunjangan, requirement, syarat, persyaratan, permission, setting, config, token, role permission, group member,
  cache, migration, stat, statistic, statistik, metric, report, laporan, queue, failed, sector, sektor, industry, bidang, level, jenjang, faq, link,
  map, mapping, rel, pivot, xref, section, prerequisite, topic, material, materi, salary, gaji, shift, schedule, holiday, size, stage, field, fields, meta, attribute,
  value, property, option, subscription, invitation, follower, keyword, url, slug, city, kota, province, provinsi, country, negara,
  region, wilayah, district, kecamatan, gender, currency, reason, template, import, export, sync, event log, job queue, content, block, assignment, grade, completion, member, line, access, quota change, instructor`);

/** A table that may hold the records of an entity, with why. */
export interface Candidate {
  readonly table: CatalogTable;
  readonly score: number;
  /** Other tables that name it. */
  readonly references: number;
  /** Whether the likeliest table of the records below names it. */
  readonly linked: boolean;
  /** Entity that takes this table already; null: none does. */
  readonly taken: string | null;
}

/** The table that an entity gets when nobody is asked: the likeliest, unless another entity takes that. */
export function takeLikeliest(candidates: readonly Candidate[]): CatalogTable | undefined {
  const [first] = candidates;
  return first?.taken === null ? first.table : undefined;
}
