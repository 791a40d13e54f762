import { branchContract, branchPayload } from './branch.js';
import { companies } from '../../../src/entities/companies.js';
import { target } from '../../../src/entities/drafting/target.js';
import type { Entity } from '../../../src/entities/entity.js';
import { mapRow } from '../../../src/entities/map-row.js';
import { readBackOf, sameNames } from '../../../src/entities/read-back.js';
import { keyColumns } from '../../../src/entities/shared-columns.js';

/** Branches of companies: a second kind of child beside the vacancies. */
export const branches: Entity = {
  ...branchContract,
  titles: { en: 'Branches', id: 'Cabang' },
  description: 'Branches of companies.',
  parent: { entity: companies.name, column: 'company_key', field: 'company' },
  readBack: readBackOf(branchContract, { id: 'id', reference: 'reference' }, [
    ...sameNames('text', '', 'name', 'address'),
    { sent: 'company.id', read: 'company.id', rule: 'uuid' },
  ]),
  statusField: null,
  lastDay: null,
  columns: [
    ...keyColumns('branch'),
    { name: 'company_key', required: true, field: 'company', description: 'Key of the company.' },
    { name: 'name', required: true, description: 'Name of the branch.' },
    { name: 'address', description: 'Street address.' },
  ],
  assumedRequired: [],
  mapVersion: 1,
  repeatable: true,
  application: false,
  drafting: {
    alias: 'b',
    tables: { sure: 'branch, cabang', maybe: 'office' },
    targets: [target('name', 'text', 'name nama'), target('address', 'text', 'address alamat')],
    telling: { name: 3, address: 1 },
    wanted: ['company_key', 'name'],
    fromParent: [],
  },
  map: (row, context) =>
    mapRow(branches, row, context, branchPayload, (read) => ({
      name: read.text('name'),
      address: read.text('address'),
    })),
};
