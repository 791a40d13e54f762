/**
 * The public address of docs/runbook.md, the one place that names it. `http.admin.runbookUrl` replaces it for a copy.
 */
export const RUNBOOK_URL = 'https://github.com/placement-sync/placement-sync/blob/main/docs/runbook.md';
