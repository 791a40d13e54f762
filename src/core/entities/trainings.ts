import { trainingContract } from '../contract/training.js';
import type { Entity } from './entity.js';
import { institutions } from './institutions.js';
import { mapRow } from './map-row.js';
import { readBackOf, regionFields, sameNames } from './read-back.js';
import { readHomeRegion, type RowReader } from './row-reader.js';
import { boolean, webAddress, wholeNumber } from './values.js';
import { column, HOME_REGION_COLUMNS, keyColumns } from './columns.js';

const COLUMNS = [
  ...keyColumns('training'),
  column(
    'institution_key',
    'Key of the institution, as in the institutions query; null: sent without one. It is assumed that a training names its institution.',
    { field: 'institution' },
  ),
  column('title', 'Title of the training.', { required: true }),
  column('description', 'Long text.'),
  column('address', 'Where it takes place; sent as null when absent.'),
  ...HOME_REGION_COLUMNS,
  column('media', 'The platform’s word, such as `online`.', { lookup: true }),
  column('difficulty_level', 'The platform’s word, such as `beginner`.', { lookup: true }),
  column('price', 'Price in rupiah, a whole number; 0 is shown as 0.', { typed: true }),
  column('certified', 'Whether it ends with a certificate, a boolean.'),
  column('bnsp_certified', 'Whether it ends with a certificate of BNSP, a boolean.'),
  column('quota', 'Number of places, a whole number.', { typed: true }),
  column('expired_date', 'Last day to sign up: a date or a timestamp.'),
  column('start_date', 'First day: a date or a timestamp.'),
  column('finish_date', 'Last day: a date or a timestamp.'),
  column('cover_uri', 'Address of the cover picture, with http:// or https://.'),
];

function body(read: RowReader) {
  return {
    title: read.text('title'),
    description: read.text('description'),
    address: read.text('address') ?? null,
    region: readHomeRegion(read),
    media: read.text('media'),
    difficulty_level: read.text('difficulty_level'),
    price: read.value('price', wholeNumber),
    certified: read.value('certified', boolean),
    bnsp_certified: read.value('bnsp_certified', boolean),
    quota: read.value('quota', wholeNumber),
    expired_date: read.day('expired_date'),
    start_date: read.day('start_date'),
    finish_date: read.day('finish_date'),
    cover_uri: read.value('cover_uri', webAddress),
  };
}

const READ_BACK = readBackOf(trainingContract, { id: 'id', reference: 'reference' }, [
  ...sameNames('text', '', 'title', 'description', 'address'),
  { sent: 'institution.id', read: 'institution.reference', rule: 'uuid' },
  ...regionFields(''),
  ...sameNames('word', '', 'media', 'difficulty_level'),
  ...sameNames('number', '', 'price', 'quota'),
  ...sameNames('flag', '', 'certified', 'bnsp_certified'),
  ...sameNames('date', '', 'expired_date', 'start_date', 'finish_date'),
  ...sameNames('picture', '', 'cover_uri'),
]);

/** Trainings: Put Training of the training area. The institution, where there is one, is put in when sending. */
export const trainings: Entity = {
  ...trainingContract,
  titles: { en: 'Trainings', id: 'Pelatihan' },
  description: 'Trainings.',
  parent: { entity: institutions.name, column: 'institution_key', field: 'institution' },
  readBack: READ_BACK,
  statusField: null,
  lastDay: 'expired_date',
  columns: COLUMNS,
  assumedRequired: [],
  mapVersion: 2,
  repeatable: true,
  application: false,
  map: (row, context) => mapRow(trainings, row, context, body),
};
