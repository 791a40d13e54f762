/**
 * The platform's words where the interface and its public answers show a closed choice: `male` and `pkwtt` (interface
 * §2 and §6), `female`, `single` and `open` in public answers; `married`, `pkwt` and `closed` are their counterparts
 * (assumed). Other words are sent, with a warning; a strict platform may refuse them.
 */
export const KNOWN_WORDS = {
  gender: ['male', 'female'],
  marital: ['single', 'married'],
  employment_type: ['pkwtt', 'pkwt'],
  vacancyStatus: ['open', 'closed'],
} as const;
