import type { ConsequenceTexts } from './consequence-text.js';

/** What an approval causes, in English. */
export const ENGLISH_CONSEQUENCES: ConsequenceTexts = {
  records: (count, entity, one) => (one ? `${count} record of ${entity}` : `${count} ${entity}`),
  rejectedRecords: (count, entity, one) =>
    `${count ?? 'The'} rejected ${one ? 'record' : 'records'} of ${entity}`,
  close: (records, status) =>
    `${records} will be CLOSED at the platform${status === null ? '' : ` (status "${status}")`}.`,
  createAgain: (records) =>
    `${records} with new keys will be CREATED at the platform. If the keys were renewed, each record is there twice then.`,
  update: (records) => `${records} will be OVERWRITTEN at the platform with other content.`,
  delete: (records) => `${records} will be DELETED at the platform.`,
  markVanished: (records) =>
    `${records} will only be marked as vanished: nothing is sent, and the platform keeps them.`,
  markInvalid: (records) =>
    `${records} will be marked as invalid: nothing more is sent, and the platform keeps what it holds.`,
  sendAgain: (rejectedRecords) => `${rejectedRecords} will be sent again.`,
  ifApproved: 'If you approve:',
  isApproved: 'Approved:',
};
