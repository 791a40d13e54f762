import { describe, expect, it, test } from 'vitest';
import { csvLine } from '../../../src/core/domain/text.js';
import { localTime, withLocalTimes } from '../../../src/core/contract/time.js';
import { timelineLines } from '../../../src/cli/output/print-explanation.js';
import { fittedTable, table } from '../../../src/cli/output/table.js';
import type { TimelineEntry } from '../../../src/features/look/explain-record.js';

describe('table', () => {
  const HEAD = ['', 'read', 'unchanged'];
  const ROWS = [
    ['companies', 1_200, 3],
    ['vacancies', 5, 0],
  ];

  test('a table that fits has a row a line, numbers to the right', () => {
    expect(table(HEAD, ROWS, 80).split('\n')).toEqual([
      '            read  unchanged',
      'companies  1,200          3',
      'vacancies      5          0',
    ]);
  });

  test('one that is wider than the terminal is turned on its side', () => {
    expect(table(HEAD, [['companies', 1_200, 3]], 26).split('\n')).toEqual([
      '           companies',
      'read           1,200',
      'unchanged          3',
    ]);
  });

  test('a long value of a block goes on below itself', () => {
    const rows = [['companies', 'the name is too short and the pay too low', 'c001']];
    expect(table(['', 'reason', 'key'], rows, 30).split('\n')).toEqual([
      'companies',
      '  reason  the name is too',
      '            short and the pay',
      '            too low',
      '  key     c001',
    ]);
  });

  test('one that is too wide in both ways becomes blocks', () => {
    expect(table(HEAD, ROWS, 20).split('\n')).toEqual([
      'companies',
      '  read       1,200',
      '  unchanged  3',
      'vacancies',
      '  read       5',
      '  unchanged  0',
    ]);
  });
});

describe('fitted table', () => {
  const HEAD = ['key', 'title', 'company', 'day'];
  const ROWS = [
    ['v1', 'a title that is quite long', 'short', '2026-01-31'],
    ['v2', 'brief', 'a company', '2026-01-31'],
  ];
  const lines = (width: number | undefined, rows = ROWS) =>
    fittedTable(HEAD, rows, [1, 2], width).split('\n');

  test('one that has room, and one in a pipe, is whole', () => {
    expect(lines(80)).toEqual(lines(undefined));
    expect(lines(undefined)[1]).toContain('a title that is quite long');
  });

  test('cuts the long text, and gives it what the short one leaves', () => {
    const [, first = '', second = ''] = lines(43);
    expect(first).toBe('v1   a title that i…  short      2026-01-31');
    expect(second).toBe('v2   brief            a company  2026-01-31');
    expect(Math.max(...lines(43).map((line) => line.length))).toBe(43);
  });

  test('two long texts get the same room', () => {
    const long = 'x'.repeat(40);
    expect(lines(57, [['v1', long, long, '2026-01-31']])[1]).toBe(
      `v1   ${'x'.repeat(18)}…  ${'x'.repeat(18)}…  2026-01-31`,
    );
  });

  test('where hardly anything would be left of the texts, rows become columns or blocks', () => {
    expect(lines(30)[0]).toBe('v1');
    expect(lines(30).join(' ')).toMatch(/a title that is +quite long/);
  });
});

describe('csv line', () => {
  it('puts into quotes what would end a cell', () => {
    expect(csvLine(['a', 'b,c', 'say "no"', 'two\nlines', '', null, 422])).toBe(
      'a,"b,c","say ""no""","two\nlines",,,422\n',
    );
  });

  it.each(['=1+1', '+62', '-x', '@here', '\tx'])('keeps a spreadsheet from calculating %j', (text) => {
    expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\n`);
  });

  it('leaves numbers as they are', () => expect(csvLine([-1])).toBe('-1\n'));

  it.each([
    ['a;=1+1', `"a;'=1+1"\n`],
    ['a\t=1+1', `"a\t'=1+1"\n`],
    ['two\n=1+1', `"two\n'=1+1"\n`],
    ['a;b', '"a;b"\n'],
    ['a; b - c', '"a; b - c"\n'],
  ])('keeps it from calculating what another separator would begin: %j', (text, line) => {
    expect(csvLine([text])).toBe(line);
  });

  /** The cells of one line as a reader has them that takes `;` for the separator: quotes begin a cell, or are letters. */
  const cellsBySemicolon = (line: string): string[] => {
    const cells: string[] = [];
    const cell = /"((?:[^"]|"")*)"([^;]*)|([^;]*)/y;
    while (cell.lastIndex <= line.length) {
      const [, quoted, rest = '', plain = ''] = cell.exec(line) ?? [];
      cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest);
      cell.lastIndex += 1;
    }
    return cells;
  };

  it.each(['x;"=1+1;', 'x;""=1+1', '"=1+1', 'x;=1+1', 'x;"-1;"@a', 'a\t"=1', 'a"b;""""+1', ';"";"=1'])(
    'has no cell that is calculated by a reader that separates by semicolons: %j',
    (text) => {
      for (const cells of [[text], ['companies', text, 'why']]) {
        const read = cellsBySemicolon(csvLine(cells).trimEnd());
        expect(read.filter((one) => /^[=+\-@\t\r]/.test(one))).toEqual([]);
      }
    },
  );

  it('has no character that a terminal or a reader obeys', () => {
    expect(csvLine(['a\u001b[2Jb\u0007\u009b\rc', 'x\u202ey'])).toBe(
      'a\\u001b[2Jb\\u0007\\u009b\\u000dc,x\\u202ey\n',
    );
  });
});

describe('local time', () => {
  const AT = new Date('2026-01-31T20:00:00.250Z');

  test.each([
    ['Asia/Jakarta', '2026-02-01 03:00:00 WIB'],
    ['UTC', '2026-01-31 20:00:00 UTC'],
    ['Asia/Kolkata', '2026-02-01 01:30:00 GMT+5:30'],
    ['America/New_York', '2026-01-31 15:00:00 GMT-5'],
  ])('in %s it is %s', (zone, text) => {
    expect(localTime(AT, zone)).toBe(text);
  });

  test('every ISO time in a sentence becomes one of the zone; other text stays', () => {
    expect(
      withLocalTimes(
        'Due at 2026-01-31T20:00:00.250Z, then 2026-06-01T00:00:00Z; 2026-99-99T00:00:00Z stays.',
        'Asia/Jakarta',
      ),
    ).toBe('Due at 2026-02-01 03:00:00 WIB, then 2026-06-01 07:00:00 WIB; 2026-99-99T00:00:00Z stays.');
  });
});

describe('timeline lines', () => {
  const entry = (requestId: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
    event: 'opened',
    requestId,
    operation: 'putCompany',
    claimedAt: '2026-01-31T18:00:00.000Z',
    answeredAt: '2026-01-31T18:00:01.000Z',
    statusCode: 200,
    outcome: 'accepted',
    reason: null,
    ...more,
  });

  it('shows each request with its local time, its answer and its Request-Id', () => {
    expect(
      timelineLines(
        [
          entry('a'),
          entry('b', { event: 'closed', outcome: 'deferred', statusCode: null, reason: 'Not reached' }),
        ],
        'Asia/Jakarta',
      ),
    ).toEqual([
      '  2026-02-01 01:00:01  opened: putCompany accepted, HTTP 200 (request a)',
      '  2026-02-01 01:00:01  close: putCompany deferred, no reply: Not reached (request b)',
    ]);
    expect(timelineLines([], 'UTC')).toEqual(['  none']);
  });

  it('names the status once', () => {
    const [line] = timelineLines(
      [entry('a', { outcome: 'deferred', statusCode: 503, reason: 'HTTP 503: Server Error' })],
      'UTC',
    );
    expect(line).toContain('putCompany deferred, HTTP 503: Server Error (request a)');
  });

  it('lists the latest twenty, and says how many there were before', () => {
    const lines = timelineLines(
      Array.from({ length: 23 }, (_, index) => entry(`r${index}`)),
      'UTC',
    );
    expect(lines).toHaveLength(21);
    expect(lines[0]).toContain('3 earlier');
    expect(lines.at(-1)).toContain('r22');
  });
});
