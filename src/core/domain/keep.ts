/** `webhook.keep`: what stays of an application, from the most to the least. */
export const KEEPS = ['body', 'columns', 'minimal'] as const;

export type Keep = (typeof KEEPS)[number];
