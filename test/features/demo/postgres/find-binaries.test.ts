import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBinaries, parsePasswd } from '../../../../src/features/demo/postgres/binaries.js';

describe('looking for the programs of Postgres', () => {
  let folder: string;
  const folderWith = (name: string, programs: readonly string[]): string => {
    const binDir = path.join(folder, name);
    mkdirSync(binDir);
    for (const program of programs) {
      writeFileSync(path.join(binDir, program), '#!/bin/sh\n');
      chmodSync(path.join(binDir, program), 0o755);
    }
    return binDir;
  };
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'find-binaries-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('prefers the folder that PG_BIN_DIR names, and takes the search path last', () => {
    const named = folderWith('named', ['initdb', 'postgres']);
    const onPath = folderWith('on-path', ['initdb', 'postgres']);
    const { candidates } = findBinaries({ env: { PG_BIN_DIR: named, PATH: `/nowhere:${onPath}` } });
    expect(candidates[0]).toMatchObject({ binDir: named, packageTree: null });
    expect(candidates.at(-1)).toMatchObject({ binDir: onPath, origin: 'PATH' });
  });

  test('looks nowhere else when the caller names a folder', () => {
    const given = folderWith('given', ['initdb', 'postgres']);
    const { candidates } = findBinaries({ binDir: given, env: { PG_BIN_DIR: '/elsewhere' } });
    expect(candidates.map((candidate) => candidate.binDir)).toEqual([given]);
  });

  test('passes over a folder that lacks one of the two programs', () => {
    const half = folderWith('half', ['postgres']);
    expect(findBinaries({ binDir: half, env: {} }).candidates).toEqual([]);
  });
});

describe('finding a user in the password file', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\npostgres:x:101:104:,,,:/var/lib/postgresql:/bin/bash\nbad:x::\n';
  test('gives the user’s and the group’s number', () => {
    expect(parsePasswd('postgres', passwd)).toEqual({ uid: 101, gid: 104 });
  });
  test.each(['nobody', 'post', 'bad'])('gives null for %s, who is not there or has no numbers', (name) => {
    expect(parsePasswd(name, passwd)).toBeNull();
  });
});
