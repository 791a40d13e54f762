import { canteenContract } from './canteen.js';
import { companies } from '../../../../src/core/entities/companies.js';
import type { Entity } from '../../../../src/core/entities/entity.js';
import { mapRow } from '../../../../src/core/entities/map-row.js';
import { readBackOf, sameNames } from '../../../../src/core/entities/read-back.js';
import { keyColumns } from '../../../../src/core/entities/columns.js';

/** Canteens of companies: a second kind of child beside the vacancies. */
export const canteens: Entity = {
  ...canteenContract,
  titles: { en: 'Canteens', id: 'Kantin' },
  description: 'Canteens of companies.',
  parent: { entity: companies.name, column: 'company_key', field: 'company' },
  readBack: readBackOf(canteenContract, { id: 'id', reference: 'reference' }, [
    ...sameNames('text', '', 'name', 'address'),
    { sent: 'company.id', read: 'company.id', rule: 'uuid' },
  ]),
  statusField: null,
  lastDay: null,
  columns: [
    ...keyColumns('canteen'),
    { name: 'company_key', required: true, field: 'company', description: 'Key of the company.' },
    { name: 'name', required: true, description: 'Name of the canteen.' },
    { name: 'address', description: 'Street address.' },
  ],
  assumedRequired: [],
  mapVersion: 1,
  repeatable: true,
  application: false,
  map: (row, context) =>
    mapRow(canteens, row, context, (read) => ({
      name: read.text('name'),
      address: read.text('address'),
    })),
};
