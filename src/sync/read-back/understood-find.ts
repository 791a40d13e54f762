import type { Reply } from '../../domain/reply/reply.js';
import { showsAnything } from '../../entities/compare-read-back.js';
import type { ReadBack } from '../../entities/read-back.js';

/** A reply to a Find that shows none of the record's fields is not understood: it says nothing about the record. Pure. */
export function understoodFind(reply: Reply, readBack: ReadBack): Reply {
  if (reply.kind !== 'answered' || reply.result?.data === undefined) return reply;
  if (showsAnything(readBack, reply.result.data)) return reply;
  return { ...reply, result: null, malformed: 'data: shows none of the fields of the record' };
}
