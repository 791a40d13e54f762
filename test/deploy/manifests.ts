import Ajv from 'ajv';
import formats from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

export const KUBERNETES = 'deploy/kubernetes';

/** Every folder that is applied with `kubectl apply -k` for one configuration. */
export const OVERLAYS = ['long-running', 'cronjob', 'resync-job', 'migrate-job'] as const;
/** Those of a fleet. */
export const FLEET_OVERLAYS = ['fleet', 'fleet-migrate-job'] as const;
type Overlay = (typeof OVERLAYS)[number] | (typeof FLEET_OVERLAYS)[number];

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly envFrom: unknown;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly subPath?: string;
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: unknown;
  readonly resources: unknown;
  readonly startupProbe?: unknown;
  readonly livenessProbe?: unknown;
  readonly readinessProbe?: unknown;
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly volumes: readonly Readonly<Record<string, unknown>>[];
    readonly securityContext: unknown;
    readonly automountServiceAccountToken: boolean;
    readonly serviceAccountName?: string;
    readonly affinity?: unknown;
    readonly terminationGracePeriodSeconds: number;
    readonly restartPolicy?: string;
  };
}

/** The manifests of a folder, without its kustomization. */
export function readManifests(folder: string): Manifest[] {
  return readdirSync(join(KUBERNETES, folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => parse(readFileSync(join(KUBERNETES, folder, name), 'utf8')) as Manifest);
}

/** The pods that an overlay makes. */
export function podTemplate(overlay: Overlay): PodTemplate {
  const found = readManifests(`overlays/${overlay}`).flatMap(({ kind, spec }) => {
    const { template, jobTemplate } = spec as {
      template?: PodTemplate;
      jobTemplate?: { spec: { template: PodTemplate } };
    };
    if (kind === 'CronJob') return jobTemplate ? [jobTemplate.spec.template] : [];
    return template ? [template] : [];
  });
  if (found.length !== 1 || !found[0]) throw new Error(`${overlay} has ${found.length} kinds of pods`);
  return found[0];
}

/** A Kubernetes object as its file has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: unknown;
}

/** The ids of the schemas of the kinds that are deployed: of kubernetes-models, and of the Prometheus operator. */
const SCHEMAS: Readonly<Record<string, string>> = {
  'apps/v1 Deployment': 'io.k8s.api.apps.v1.Deployment',
  'autoscaling/v2 HorizontalPodAutoscaler': 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'batch/v1 CronJob': 'io.k8s.api.batch.v1.CronJob',
  'batch/v1 Job': 'io.k8s.api.batch.v1.Job',
  'networking.k8s.io/v1 NetworkPolicy': 'io.k8s.api.networking.v1.NetworkPolicy',
  'policy/v1 PodDisruptionBudget': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'v1 Service': 'io.k8s.api.core.v1.Service',
  'v1 ServiceAccount': 'io.k8s.api.core.v1.ServiceAccount',
  'v1 ConfigMap': 'io.k8s.api.core.v1.ConfigMap',
  'monitoring.coreos.com/v1 ServiceMonitor': 'monitoring.coreos.com.v1.ServiceMonitor',
  'monitoring.coreos.com/v1 PrometheusRule': 'monitoring.coreos.com.v1.PrometheusRule',
};

type Schema = Record<string, unknown>;

const ajv = createStrictAjv();

/**
 * Judges a manifest by Kubernetes' own schemas. A field that they do not know is a problem: the cluster would drop it
 * without a word, or refuse it.
 */
export function checkManifest(manifest: Manifest): string[] {
  const kind = `${manifest.apiVersion} ${manifest.kind}`;
  const id = SCHEMAS[kind];
  if (id === undefined) return [`no schema is known for ${kind}; name it in check-manifest.ts`];
  if (ajv.validate(id, manifest)) return [];
  return (ajv.errors ?? [])
    .filter(({ keyword, schemaPath }) => keyword !== 'oneOf' && !/oneOf\/\d+\/type$/.test(schemaPath))
    .map(
      ({ instancePath, message, params }) =>
        `${manifest.metadata.name}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
}

/** The package registers its schemas with a validator that lets unknown fields pass; here they are made strict. */
function createStrictAjv(): Ajv.default {
  const require = createRequire(import.meta.url);
  const registry = require('@kubernetes-models/validate') as {
    register: (id: string, schema: Schema) => void;
  };
  const collected = new Map<string, Schema>();
  registry.register = (id, schema) => collected.set(id, schema);
  // Not among the package's exports, which are classes that check only what they know.
  const folder = join(dirname(require.resolve('kubernetes-models')), '_schemas');
  const operator = require('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1') as Record<
    string,
    { readonly prototype: object }
  >;
  for (const id of Object.values(SCHEMAS)) {
    const model = operator[id.split('.').at(-1) ?? ''];
    if (id.startsWith('monitoring.') && model) {
      addSchemaOf(model.prototype);
      continue;
    }
    const file = id.split('.').map(capitalised).join('');
    (require(join(folder, `${file}.js`)) as { addSchema: () => void }).addSchema();
  }
  const strict = new Ajv.default({ strictTypes: false, allErrors: true });
  formats.default(strict);
  for (const format of ['quantity', 'byte', 'string', 'int-or-string']) strict.addFormat(format, true);
  for (const [id, schema] of collected) strict.addSchema(withoutUnknown(schema, id), id);
  return strict;
}

/** These models keep the function that registers their schema under a symbol of their own. */
function addSchemaOf(model: object): void {
  const symbol = Object.getOwnPropertySymbols(model).find(({ description }) => description === 'ADD_SCHEMA');
  const add = symbol && (Reflect.get(model, symbol) as () => void);
  if (add === undefined) throw new Error('the models of the Prometheus operator are built otherwise now');
  add();
}

/** Parts of the schema of a custom resource stand in it; those of Kubernetes' own are schemas of their own. */
function withoutUnknown(schema: Schema, id: string): Schema {
  const parts = Object.entries(schema).map(([key, part]) => {
    const isPart = typeof part === 'object' && part !== null && !Array.isArray(part);
    return [key, isPart && id.startsWith('monitoring.') ? withoutUnknown(part as Schema, id) : part] as const;
  });
  const strict: Schema = Object.fromEntries(parts);
  if ('properties' in strict && !('additionalProperties' in strict)) strict.additionalProperties = false;
  // Kubernetes 1.26 and 1.27 said that it is required, and took rules of exit codes without it all the same.
  if (id === 'io.k8s.api.batch.v1.PodFailurePolicyRule') strict.required = ['action'];
  return strict;
}

function capitalised(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}

/** What is checked of a Grafana dashboard. */
interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly description?: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync('deploy/grafana/placement-sync.json', 'utf8')) as Dashboard;
}
