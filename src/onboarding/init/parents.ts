/** The parent's column in the query of a child. */
export const PARENTS: Readonly<Record<string, { readonly entity: string; readonly target: string }>> = {
  vacancies: { entity: 'companies', target: 'company_key' },
  trainings: { entity: 'institutions', target: 'institution_key' },
};
