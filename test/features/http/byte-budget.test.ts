import { describe, expect, test } from 'vitest';
import { readTarget } from '../../../src/features/http/listener.js';
import { isOwnOrigin, namesThisMachine } from '../../../src/features/http/own-origin.js';
import { createByteBudget } from '../../../src/features/http/read-body.js';

describe('byte budget', () => {
  /** Opens accounts by name; who gave up is listed. */
  function budgetOf(limit: number) {
    const budget = createByteBudget(limit);
    const gaveUp: string[] = [];
    return { budget, gaveUp, open: (name: string) => budget.open(() => gaveUp.push(name)) };
  }

  test('what fits is taken, and what is closed is free again, once', () => {
    const { budget, open } = budgetOf(10);
    const [a, b] = [open('a'), open('b')];
    expect([a.take(6), b.take(4), budget.taken()]).toEqual([true, true, 10]);
    a.close();
    a.close();
    expect([budget.taken(), b.take(6), budget.taken()]).toEqual([4, true, 10]);
    expect(a.take(1), 'a closed account takes nothing').toBe(false);
  });

  test('the largest gives up for a smaller one, and as many as are needed', () => {
    const { budget, gaveUp, open } = budgetOf(10);
    const [small, large, larger] = [open('small'), open('large'), open('larger')];
    expect([small.take(1), large.take(4), larger.take(5)]).toEqual([true, true, true]);
    expect(small.take(2)).toBe(true);
    expect([gaveUp, budget.taken()]).toEqual([['larger'], 7]);
    expect(larger.take(1), 'who gave up takes nothing').toBe(false);
  });

  test('who would be the largest itself gives up, also among equals', () => {
    const { budget, gaveUp, open } = budgetOf(10);
    const [first, second] = [open('first'), open('second')];
    expect([first.take(5), second.take(4), second.take(2)]).toEqual([true, true, false]);
    expect([gaveUp, budget.taken()]).toEqual([[], 5]);
    expect(open('third').take(11), 'more than there is').toBe(false);
    expect(budget.taken()).toBe(5);
  });

  test('what is kept is never given up', () => {
    const { gaveUp, open } = budgetOf(10);
    const kept = open('kept');
    kept.keep();
    expect(kept.take(9)).toBe(true);
    expect(open('newcomer').take(2)).toBe(false);
    expect(gaveUp).toEqual([]);
  });

  test('what is kept takes from all that is not, however small that is', () => {
    const { gaveUp, open } = budgetOf(100);
    const strangers = Array.from({ length: 9 }, (_, i) => open(`stranger ${i}`));
    expect(strangers.map((each) => each.take(10))).toEqual(Array(9).fill(true));
    const kept = open('kept');
    expect(kept.take(2)).toBe(true);
    kept.keep();
    expect(kept.take(24), 'thirteen times what it is').toBe(true);
    expect(gaveUp).toHaveLength(2);
  });
});

describe('own origin', () => {
  test.each([
    ['localhost:9090', true],
    ['[::1]:9090', true],
    ['127.0.0.1', true],
    ['127.0.0.1.evil.example', false],
    ['localhost/evil', false],
    ['a@localhost', false],
    [undefined, false],
  ])('a Host header: %s names this machine: %s', (host, expected) => {
    expect(namesThisMachine(host)).toBe(expected);
  });

  test.each([
    [{ host: 'h:1', origin: 'http://h:1', secFetchSite: 'same-origin' }, true],
    [{ host: 'h:1', origin: 'https://h:1', secFetchSite: undefined }, true],
    [{ host: 'h:1', origin: undefined, secFetchSite: undefined }, true],
    [{ host: 'h:1', origin: 'http://h:2', secFetchSite: undefined }, false],
    [{ host: 'h:1', origin: 'http://h:1', secFetchSite: 'same-site' }, false],
    [{ host: 'h:1', origin: 'null', secFetchSite: undefined }, false],
  ])('an origin: %j is our own: %s', (headers, expected) => {
    expect(isOwnOrigin(headers)).toBe(expected);
  });
});

describe('take target', () => {
  test.each([
    ['/a?b=c', '/a?b=c', 'here'],
    ['http://there/a?b=c', '/a?b=c', 'there'],
    ['HTTPS://there:8080/a', '/a', 'there:8080'],
    ['http://[::1]:80/a//../b', '/a//../b', '[::1]:80'],
    ['http://there', '/', 'there'],
    ['http://there?b=c', '/?b=c', 'there'],
    ['//there/a', '//there/a', 'here'],
    ['/http://there/a', '/http://there/a', 'here'],
    ['*', '*', 'here'],
  ])('%s is for the path %s at %s', (target, path, host) => {
    expect(readTarget(target, 'here')).toEqual({ path, host });
  });

  test.each(['http:///a', 'http://', 'ftp://there/a', 'http://user@there/a', 'http://there\\@here/a'])(
    '%s names no host that can be served',
    (target) => {
      expect(readTarget(target, 'here')).toBeNull();
    },
  );
});
