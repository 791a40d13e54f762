import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from './check-manifest.js';

export const KUBERNETES = 'deploy/kubernetes';

/** Every folder that is applied with `kubectl apply -k` for one configuration. */
export const OVERLAYS = ['long-running', 'cronjob', 'resync-job', 'migrate-job'] as const;
/** Those of a fleet. */
export const FLEET_OVERLAYS = ['fleet', 'fleet-migrate-job'] as const;
export type Overlay = (typeof OVERLAYS)[number] | (typeof FLEET_OVERLAYS)[number];

export interface Container {
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
