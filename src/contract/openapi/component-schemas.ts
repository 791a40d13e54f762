import { z } from 'zod';
import { applicationSalary, applicationStatusBody, applicationStatusResult } from '../application-status.js';
import { companyBody, companyRead, companyResult, employerRecord, namedRecord } from '../company.js';
import { serverInformation } from '../envelope.js';
import { invalidFieldsBody, refusalBody } from '../error-answers.js';
import { money } from '../field-types.js';
import { institutionBody, institutionRead, institutionResult } from '../institution.js';
import { extendedRegionRecord, regionRecord, regionReference } from '../region.js';
import {
  trainingBody,
  trainingInstitution,
  trainingRead,
  trainingRegion,
  trainingResult,
} from '../training.js';
import { vacancyBody, vacancyEmployer, vacancyRead, vacancyResult } from '../vacancy.js';
import {
  achievementRecord,
  applicationJob,
  certificationRecord,
  educationRecord,
  experienceRecord,
  languageRecord,
  trainingRecord,
} from '../webhook/application-records.js';
import { appliedAtApplication, flatApplication, jobSeeker } from '../webhook/new-application.js';

/** JSON schema of draft 2020-12, which is the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas that have a name of their own in the document; every other one stands where it is used. */
const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  RegionReference: regionReference,
  RegionRecord: regionRecord,
  ExtendedRegionRecord: extendedRegionRecord,
  Money: money,
  CatalogueEntry: namedRecord,
  EmployerRecord: employerRecord,
  CompanyBody: companyBody,
  CompanyResult: companyResult,
  Company: companyRead,
  VacancyEmployer: vacancyEmployer,
  VacancyBody: vacancyBody,
  VacancyResult: vacancyResult,
  Vacancy: vacancyRead,
  ApplicationSalary: applicationSalary,
  ApplicationStatusBody: applicationStatusBody,
  ApplicationStatusResult: applicationStatusResult,
  InstitutionBody: institutionBody,
  InstitutionResult: institutionResult,
  Institution: institutionRead,
  TrainingRegion: trainingRegion,
  TrainingInstitution: trainingInstitution,
  TrainingBody: trainingBody,
  TrainingResult: trainingResult,
  Training: trainingRead,
  ApplicationJob: applicationJob,
  JobSeeker: jobSeeker,
  ExperienceRecord: experienceRecord,
  TrainingRecord: trainingRecord,
  EducationRecord: educationRecord,
  CertificationRecord: certificationRecord,
  AchievementRecord: achievementRecord,
  LanguageRecord: languageRecord,
  AppliedAtApplication: appliedAtApplication,
  FlatApplication: flatApplication,
  ServerInformation: serverInformation,
  Refusal: refusalBody,
  InvalidFields: invalidFieldsBody,
};

const NAMES: ReadonlyMap<z.ZodType, string> = new Map(
  Object.entries(COMPONENTS).map(([name, schema]) => [schema, name]),
);

/** `components.schemas` of the document, in the order above. */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, { uri: (name) => `#/components/schemas/${name}` });
  return Object.fromEntries(
    Object.keys(COMPONENTS).map((name) => {
      // In a document of many schemas these two would claim that each of them stands alone.
      const { $schema: _dialect, $id: _id, ...schema } = schemas[name] as JsonSchema;
      return [name, schema];
    }),
  );
}

/** A reference to the named schema, or the JSON schema itself where it has no name. */
export function schemaOrReference(schema: z.ZodType): JsonSchema {
  const name = NAMES.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema) as JsonSchema;
  return json;
}
