/** Zone in which times of the fleet are shown: that of the national platform. Its tenants may be in several. */
export const FLEET_TIME_ZONE = 'Asia/Jakarta';
