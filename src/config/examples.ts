/** Files that show settings in use; seen from the project's folder. */
export const EXAMPLE = 'config/placement-sync.example.yaml';
export const FLEET_EXAMPLE = 'config/fleet.example.yaml';
export const TENANT_EXAMPLE = 'config/tenant.example.yaml';
