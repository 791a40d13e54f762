import { expect, it } from 'vitest';
import { closest } from '../../src/domain/closest.js';

const WORDS = ['baseUrl', 'clientId', 'clientSecret', 'region_id', 'region_type', 'name', 'on'];

it.each([
  ['baseurl', 'baseUrl'],
  ['base_url', 'baseUrl'],
  ['clientID', 'clientId'],
  ['cleintId', 'clientId'],
  ['clientSecert', 'clientSecret'],
  ['regionid', 'region_id'],
  ['nmae', 'name'],
  ['no', 'on'],
])('takes %s for %s', (word, expected) => {
  expect(closest(word, WORDS)).toBe(expected);
});

it.each(['password', 'zzz', 'secret', ''])('finds nothing close to "%s"', (word) => {
  expect(closest(word, WORDS)).toBeNull();
});

it('takes the first of several that are equally close', () => {
  expect(closest('cat', ['bat', 'rat'])).toBe('bat');
});
