import type { CatalogColumn } from '../catalog/catalog.js';
import { wordsOf } from './words.js';

/** Numbers of something, whatever its state. */
const COUNTED =
  /(^|_)(count|counter|number|total|jumlah|num|qty|quantity|no_of|amount|available|remaining|left|max|min|limit|view|hit|order|position|sort)(_|$)/;
/** What an application does with other things: the name goes on with them. */
const DOES =
  /^(?:is_|has_|do_|auto_|allow_)?(show|publish|enable|display|hide|allow|notify|send|open|close|block|suspend)_(.+)$/;
/** What may follow when it is the record: when, where, and the record itself. */
const ITSELF =
  /^(at|on|in|by|date|time|day|until|till|from|start|end|to|for|flag|status|state|yn|website|web|site|portal|online|public|publicly|app|frontend|career|career_page|list|listing|search|homepage|job|vacancy|lowongan|posting|post|company|employer|course|training|class|program|record|page|reason|tgl|tanggal)(_|$)/;
/** Two words written as one, of which the second is another thing. */
const RUN_ON =
  /^(show|visible|enable|enabled|hide|suspend|publish|allow)(?!d$|ed$|s$|ing$|able$|ed_)([a-z]{3,})$/;
const INFLECTED =
  /^(?:shown|visible|visibility|hidden|published|publishing|publication|publikasi|suspended|suspension|enabled|allowed)$/;

/** How the work is done, or how the record is advertised: shown records have it and have it not. */
const TRAIT =
  /^(?:is_|has_|allow_|allows_|can_)?(remote|remote_work|remote_job|wfh|wfa|work_from_home|work_from_anywhere|telework|hybrid|on_site|onsite|relocation|featured|highlight|highlighted|promoted|sponsored|urgent|urgently)$/;

/** Whether a column is called like a flag of the record and says something about another thing: `show_grades`. */
export function isAboutElse({ name, kind }: Pick<CatalogColumn, 'name' | 'kind'>): boolean {
  const words = wordsOf(name);
  const plain = words.join('_');
  if (['integer', 'number'].includes(kind) && COUNTED.test(plain)) return true;
  if (TRAIT.test(plain)) return true;
  const rest = DOES.exec(plain)?.[2];
  if (rest !== undefined && !ITSELF.test(rest)) return true;
  const runOn = words.length === 1 ? RUN_ON.exec(plain)?.[2] : undefined;
  return runOn !== undefined && !INFLECTED.test(plain) && !ITSELF.test(runOn);
}
