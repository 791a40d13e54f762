const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
  EISDIR: 'is a folder',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8; save it as UTF-8 (Excel: CSV UTF-8)',
  ELOOP: 'is a symbolic link that leads to itself',
};

/** Why a file could not be read, to follow its name in a sentence. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
  return SENTENCES[code] ?? `cannot be read (${code})`;
}
