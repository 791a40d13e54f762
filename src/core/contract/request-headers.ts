/** The names of the four, as the interface writes them. */
export const HEADER_NAMES = {
  clientId: 'Client-Id',
  requestId: 'Request-Id',
  timestamp: 'Request-Timestamp',
  signature: 'Signature',
} as const;
