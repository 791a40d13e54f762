import { readFileSync } from 'node:fs';

/** What is checked of a Grafana dashboard. */
export interface Dashboard {
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
