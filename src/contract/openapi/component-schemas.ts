import { z } from 'zod';
import type { EntityContract } from '../entity-contract.js';
import { documentedSchema, documentedTypes, type JsonSchema } from '../documented.js';
import { serverInformation } from '../envelope.js';
import { invalidFieldsBody, refusalBody } from '../error-answers.js';
import { extendedRegionRecord, regionRecord, regionReference } from '../region.js';
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

/** A reference to a schema that has a name of its own in the document; the JSON schema itself of every other one. */
export type Refer = (schema: z.ZodType) => JsonSchema;

/** Named schemas that belong to no entity. */
const REGIONS: Readonly<Record<string, z.ZodType>> = {
  RegionReference: regionReference,
  RegionRecord: regionRecord,
  ExtendedRegionRecord: extendedRegionRecord,
};
const MESSAGES: Readonly<Record<string, z.ZodType>> = {
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

/** `components.schemas` of the document, the entities' own in their order, and how to refer to them. */
export function componentSchemas(entities: readonly Pick<EntityContract, 'schemas'>[]): {
  readonly schemas: Record<string, JsonSchema>;
  readonly refer: Refer;
} {
  const named = Object.entries(
    Object.assign({}, REGIONS, ...entities.map(({ schemas }) => schemas), MESSAGES) as typeof REGIONS,
  );
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of named) registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (name) => `#/components/schemas/${name}`,
    override: documentedTypes,
  });
  return {
    schemas: Object.fromEntries(
      named.map(([name]) => {
        // In a document of many schemas, these two would declare each schema a document of its own.
        const { $schema: _dialect, $id: _id, ...schema } = schemas[name] as JsonSchema;
        return [name, schema];
      }),
    ),
    refer(schema) {
      const name = registry.get(schema)?.id;
      if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
      return documentedSchema(schema);
    },
  };
}
