import { expect, test } from 'vitest';
import { localPath } from '../../src/dashboard/dashboard-request.js';

test.each([
  '/',
  '/records?entity=companies&status=synced',
  '/record?entity=companies&key=a%2Fb',
  '/tenant?name=acme',
])('%s is a page of ours', (path) => {
  expect(localPath(path)).toBe(path);
});

test.each([
  undefined,
  '',
  'https://elsewhere.example/',
  'https://elsewhere.example/records',
  '//elsewhere.example/records',
  '/\\elsewhere.example/records',
  'http://dashboard.elsewhere.example/records',
  'javascript:alert(1)',
  '/logout',
  '/actions/run',
  'http://[',
])('%s is none, so the overview follows', (asked) => {
  expect(localPath(asked)).toBe('/');
});
