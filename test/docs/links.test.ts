import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../docs/generate.js';
import { anchorsOf, markdownFiles, proseOf } from './read-pages.js';

describe('links', () => {
  /** What is wrong with a relative link of a file; null: nothing, or it leads elsewhere. */
  function problemOf(file: string, link: string): string | null {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return null;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(file, '..', decodeURIComponent(path)));
    if (!existsSync(join(ROOT, target))) return `${link}: there is no ${target}`;
    if (anchor === undefined || !target.endsWith('.md')) return null;
    return anchorsOf(target).has(anchor) ? null : `${link}: ${target} has no heading #${anchor}`;
  }

  const linksOf = (file: string): string[] =>
    [...proseOf(file).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)].map(([, link = '']) => link);

  it.each(markdownFiles())('every relative link of %s leads somewhere', (file) => {
    expect(
      linksOf(file)
        .map((link) => problemOf(file, link))
        .filter((problem) => problem !== null),
    ).toEqual([]);
  });

  it('finds a file and a heading that are not there', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(5);
    expect(problemOf('README.md', 'docs/nothing.md')).toBe('docs/nothing.md: there is no docs/nothing.md');
    expect(problemOf('docs/moves.md', 'operate.md#nothing')).toContain('no heading #nothing');
    expect(problemOf('docs/moves.md', 'operate.md#held')).toBeNull();
  });
});

describe('paths', () => {
  /** Files of the repository that a page names in backticks, with their folder; `NAME` stands for any. */
  function namedFiles(text: string): string[] {
    const named = [...text.matchAll(/`((?:src|test|docs|bench|migrations)\/[\w/.-]+\.(?:ts|md|json))`/g)];
    return named.map(([, path = '']) => path).filter((path) => !/NAMES?\b/.test(path));
  }

  it.each(markdownFiles().filter((file) => file !== 'CHANGELOG.md'))(
    '%s names files that are there',
    (page) => {
      expect(namedFiles(proseOf(page)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    },
  );

  it('finds a file that is gone, and leaves alone what stands for any file', () => {
    expect(
      namedFiles('`src/gone.ts`, `src/core/entities/NAMES.ts`, `src/dashboard/pages/NAME-page.ts`'),
    ).toEqual(['src/gone.ts']);
  });
});
