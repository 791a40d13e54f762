import type { OperationName } from '../contract/operation.js';
import type { Answer } from './answer.js';
import { deleteCompany, deleteInstitution, deleteTraining, deleteVacancy } from './delete-records.js';
import { findCompany, findInstitution, findTraining, findVacancy } from './find-records.js';
import { putCompany, putInstitution, putTraining, putVacancy } from './put-records.js';
import { updateApplicationStatus } from './update-application-status.js';
import type { RequestContext } from './request-context.js';

/** What the sandbox serves. Each processes one request at once and in one go, so no two get mixed up. */
export const SERVED_OPERATIONS: Readonly<
  Partial<Record<OperationName, (context: RequestContext) => Answer>>
> = {
  putCompany,
  findCompany,
  deleteCompany,
  putVacancy,
  findVacancy,
  deleteVacancy,
  updateApplicationStatus,
  putInstitution,
  findInstitution,
  deleteInstitution,
  putTraining,
  findTraining,
  deleteTraining,
};
