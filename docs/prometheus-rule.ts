import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The alert rules as an object of the Prometheus operator; kustomize cannot make one from the other. */
export function prometheusRule(root: string): string {
  const rules = readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8');
  const groups = rules.slice(rules.indexOf('groups:'));
  return `# Printed from deploy/prometheus/alerts.yaml by \`npm run docs\`: edit that file.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: placement-sync
  labels:
    app.kubernetes.io/name: placement-sync
    app.kubernetes.io/component: metrics
spec:
${groups.replace(/^(?=.)/gm, '  ')}`;
}
