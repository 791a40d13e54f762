/** What most values of a number are, as a person would say it, and as SQL behind the value. */
export const USUAL: Readonly<Record<string, { readonly sql: string; readonly not: string }>> = {
  quota: { sql: 'between 1 and 500', not: 'are not between 1 and 500; is it the number of places' },
  min_salary_amount: {
    sql: '>= 100000',
    not: 'are too small for a monthly pay in whole units; is it the pay, and in which unit',
  },
  max_salary_amount: {
    sql: '>= 100000',
    not: 'are too small for a monthly pay in whole units; is it the pay, and in which unit',
  },
  min_age: { sql: 'between 15 and 65', not: 'are not between 15 and 65; is it the lowest age' },
  max_age: { sql: 'between 15 and 70', not: 'are not between 15 and 70; is it the highest age' },
  min_experience: { sql: 'between 0 and 480', not: 'are no years of experience' },
  price: { sql: '>= 0', not: 'are below zero; is it the price' },
  latitude: { sql: 'between -90 and 90', not: 'are no degrees' },
  longitude: { sql: 'between -180 and 180', not: 'are no degrees' },
};

/** Pay in another currency may be small. */
const FOREIGN_PAY = '>= 100';

/** SQL of what is usual for a number; undefined: anything is. */
export function usualSql(target: string, isForeign: boolean): string | undefined {
  return isForeign && target.endsWith('_salary_amount') ? FOREIGN_PAY : USUAL[target]?.sql;
}
