/** Shown in the interface in full. */
export const SHOWN = {
  maturity: 'Testing',
  certainty: { method: 'specified', path: 'specified', body: 'specified', reply: 'specified' },
} as const;

export const SHOWN_FIND = { maturity: 'Testing', certainty: { ...SHOWN.certainty, body: null } } as const;

/** Listed in the interface with its method, without path and reply. */
export const LISTED = {
  maturity: null,
  certainty: { method: 'specified', path: 'assumed', body: null, reply: 'assumed' },
} as const;

/** Named in the interface; the method is on the operator's public pages. */
export const NAMED = { maturity: null, certainty: { ...LISTED.certainty, method: 'documented' } } as const;
