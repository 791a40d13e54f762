import { createHash } from 'node:crypto';

/** One request as it came by on its way to the platform. */
export interface Witnessed {
  readonly method: string;
  readonly path: string;
  /** The id in the path; the keys of the test's records are UUIDs, so it is the key too. */
  readonly id: string;
  readonly requestId: string;
  readonly body: Record<string, unknown> | null;
  readonly atMs: number;
  /** What the platform answered, if it did; `passedOn` tells whether the process can have got it. */
  status: number | null;
  json: boolean;
  /** The reply has the envelope of the interface. */
  valid: boolean;
  passedOn: boolean;
  /** The reply took so long that the process may have stopped waiting for it. */
  slow: boolean;
}

/** What was sent and what was answered, seen from outside of the process. */
export interface Witness {
  readonly requests: Witnessed[];
  /** The company whose `reference` this is, or was before it was deleted. */
  companyOf(reference: string): string | undefined;
  note(reference: string, company: string): void;
  /** The ledger's hash of a body: of the employer only the company's platform id counts. */
  hashOf(body: Record<string, unknown> | null): string;
  /** Hashes of the payloads of this record that were accepted, by a reply that was passed on. */
  accepted(path: string): ReadonlySet<string>;
}

export function createWitness(): Witness {
  const requests: Witnessed[] = [];
  const references = new Map<string, string>();
  const hashOf: Witness['hashOf'] = (body) => {
    if (body === null) return 'v1:absent';
    const { employer, ...rest } = body as { employer?: { id: string } };
    const hashed =
      employer === undefined
        ? rest
        : { ...rest, employer: { id: references.get(employer.id) ?? employer.id } };
    return `v1:${createHash('sha256').update(sorted(hashed), 'utf8').digest('hex')}`;
  };
  return {
    requests,
    companyOf: (reference) => references.get(reference),
    note(reference, company) {
      references.set(reference, company);
    },
    hashOf,
    accepted: (path) =>
      new Set(
        requests
          .filter((one) => one.path === path && one.passedOn && isAccepted(one))
          .map(({ body }) => hashOf(body)),
      ),
  };
}

/** What is not there need not be deleted. */
export function isAccepted({
  method,
  status,
  valid,
}: Pick<Witnessed, 'method' | 'status' | 'valid'>): boolean {
  // The interface shows no reply to a delete, so every 200 counts.
  return method === 'DELETE' ? status === 200 || status === 404 : status === 200 && valid;
}

/** Canonical JSON, written apart from the product's. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(record[key])}`).join(',')}}`;
}
