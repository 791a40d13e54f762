import type { StagedFinding } from '../../src/core/ledger/staging.js';
import type { VanishedPolicy } from '../../src/core/domain/guard.js';
import { examineRow } from '../../src/core/sweep/examine-row.js';
import { vanishedFinding } from '../../src/core/sweep/read-changes.js';
import { ABSENT, NOTHING, INVALID, type SourceValue } from './hash.js';
import type { Row, RowFinding } from './ledger-row.js';
import type { Rules } from './rules.js';
import {
  HASHES,
  hashCode,
  KEY,
  OTHER_PARENT_ID,
  parentId,
  payloadCode,
  PAYLOADS,
  configured,
  PLATFORM_ID,
  rowOf,
} from './samples.js';
import type { KnownPayloads, LedgerEntry } from '../../src/core/ledger/ledger.js';

/** What a sweep makes of a row: by the product's own functions, in the model's numbers. Each answer is kept. */

/** What a sweep learns from the ledger about the payloads of a record. */
export function knownPayloads(row: Row): KnownPayloads {
  const accepted = row.known ? row.acknowledgedPayload || row.desiredPayload : NOTHING;
  return {
    desired: PAYLOADS[row.desiredPayload] ?? null,
    acknowledged: PAYLOADS[accepted] ?? null,
    deleted: row.acknowledged === ABSENT,
    parentPlatformId: parentId(row.moved),
    acknowledgedParentPlatformId: parentId(row.known ? row.knownMoved : row.moved),
  };
}

/** What a sweep finds of the record; null: nothing to publish. */
export function findingFor(
  source: SourceValue,
  row: Row,
  policy: VanishedPolicy,
  payloads = knownPayloads,
): StagedFinding | null {
  const known: LedgerEntry | null = row.exists
    ? {
        key: KEY,
        rowVersion: 'same',
        vanished: row.vanished,
        invalid: row.invalid,
        desiredHash: HASHES[row.desired] ?? null,
        sendable: false,
        payloadDropped: false,
        noted: null,
        neverThere: !row.tried && !row.known,
      }
    : null;
  if (source === NOTHING) {
    if (known === null || known.vanished || policy === 'ignore') return null;
    return vanishedFinding({ ...configured, onVanished: policy }, known, payloads(row), '2026-01-01');
  }
  if (source === INVALID && row.invalid) return null;
  const { finding } = examineRow({
    entity: configured,
    source: { key: KEY, rowVersion: 'same', row: rowOf(source) },
    known,
    noted: null,
    platformId: PLATFORM_ID,
    idsMayDiffer: false,
    now: '2026-01-01 00:00:00',
  });
  return finding;
}

/** `isExact`: its hash is that of its payload under that payload's own parent, unless a rule is taken out. */
export function rowFinding(finding: StagedFinding, isExact = true): RowFinding {
  const { kind, desiredHash, desiredPayload, parentPlatformId } = finding;
  if (kind === 'touched') throw new Error('nothing is touched here');
  const payload = payloadCode(desiredPayload);
  const desired = isExact || payload === NOTHING ? hashCode(desiredHash) : payload;
  return {
    kind,
    desired,
    payload,
    moved: parentPlatformId === null ? null : parentPlatformId === OTHER_PARENT_ID,
  };
}

/** Findings of one policy, with rules taken out. */
export function createFindings(
  policy: VanishedPolicy,
  { closes, closesUnder, keepsAccepted }: Rules,
): (source: SourceValue, row: Row) => RowFinding | null {
  const underAccepted = closesUnder === 'accepted';
  const isExact = underAccepted && keepsAccepted;
  const payloads = (row: Row) => {
    const known = knownPayloads(row);
    return {
      ...known,
      acknowledged: closes === 'accepted' ? known.acknowledged : null,
      acknowledgedParentPlatformId: underAccepted
        ? known.acknowledgedParentPlatformId
        : known.parentPlatformId,
    };
  };
  const findings = new Map<number, RowFinding | null>();
  return (source, row) => {
    const index = indexOf(source, row);
    let found = findings.get(index);
    if (found === undefined) {
      const finding = findingFor(source, row, policy, payloads);
      findings.set(index, (found = finding && rowFinding(finding, isExact)));
    }
    return found;
  };
}

/** All that a finding depends on. */
function indexOf(source: SourceValue, row: Row): number {
  let index = source;
  index = (index << 3) | row.desired;
  index = (index << 3) | row.desiredPayload;
  index = (index << 3) | row.acknowledged;
  index = (index << 3) | row.acknowledgedPayload;
  for (const fact of [row.exists, row.vanished, row.invalid, row.known, row.knownMoved, row.moved]) {
    index = (index << 1) | (fact ? 1 : 0);
  }
  return index;
}
