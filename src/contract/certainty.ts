/** Shown in the interface in full. */
export const SHOWN = {
  maturity: 'Testing',
  mark: { method: 'specified', path: 'specified', body: 'specified', reply: 'specified' },
} as const;

export const SHOWN_FIND = { maturity: 'Testing', mark: { ...SHOWN.mark, body: null } } as const;

/** Listed in the interface with its method, without path and reply. */
export const LISTED = {
  maturity: null,
  mark: { method: 'specified', path: 'assumed', body: null, reply: 'assumed' },
} as const;

/** Named in the interface; the method is on the operator's public pages. */
export const NAMED = { maturity: null, mark: { ...LISTED.mark, method: 'documented' } } as const;
