import type { Figure } from './figure.js';

/** From which number of records on a cost per record is compared with a larger one. */
const FROM = 100_000;

/** Its share shrinks by itself. */
const WITH_START = 'process start to exit';

/**
 * Figures that compare the cost per record of the largest number with that of 100,000, for each `what` that was measured
 * at both. Pure.
 */
export function growth(figures: readonly Figure[]): readonly Figure[] {
  const largest = Math.max(...figures.map(({ rows }) => rows ?? 0));
  if (largest <= FROM) return [];
  return figures
    .filter(({ what, rows }) => rows === largest && !what.includes(WITH_START))
    .flatMap(({ what, unit, value, rows }) => {
      const before = figures.find((each) => each.what === what && each.rows === FROM);
      if (!before || rows === null) return [];
      const each = ({ median, min, max }: Figure['value'], count: number) => ({
        ...{ median: (1e6 * median) / count, min: (1e6 * min) / count, max: (1e6 * max) / count },
      });
      return {
        what: `${what}: each of`,
        ...{ rows, unit: `µ${unit}`, value: each(value, rows) },
        reference: { what: 'each of 100,000', value: each(before.value, FROM) },
        target: { of: 'ratio' as const, atMost: 1.3 },
        aside: '',
      };
    });
}

/** A figure of a fleet that is compared: `SIZE tenants once a day, two replicas: statements`. */
const OF_FLEET = /^([\d,]+) tenants (every 30 minutes|once a day).*: (statements|CPU of a replica)$/;

/** Figures that compare what two fleets cost for each tenant: it must not grow with their number. Pure. */
export function fleetGrowth(figures: readonly Figure[], sizes: readonly number[]): readonly Figure[] {
  const found = figures.flatMap((figure) => {
    const [, size = '', how = '', of = ''] = OF_FLEET.exec(figure.what) ?? [];
    return of === '' ? [] : [{ figure, tenants: Number(size.replaceAll(',', '')), name: `${how}: ${of}` }];
  });
  return sizes.slice(1).flatMap((size, index) => {
    const less = sizes[index] ?? size;
    return found
      .filter(({ tenants }) => tenants === size)
      .flatMap(({ figure, name }) => {
        const before = found.find((each) => each.name === name && each.tenants === less);
        if (!before) return [];
        const each = ({ median, min, max }: Figure['value'], count: number) => ({
          ...{ median: (1e3 * median) / count, min: (1e3 * min) / count, max: (1e3 * max) / count },
        });
        return {
          what: `a fleet of ${size.toLocaleString('en')}, ${name}, for 1,000 tenants`,
          ...{ rows: null, unit: figure.unit, value: each(figure.value, size) },
          reference: {
            what: `of ${less.toLocaleString('en')}, for 1,000`,
            value: each(before.figure.value, less),
          },
          target: { of: 'ratio' as const, atMost: 1.3 },
          aside: '',
        };
      });
  });
}
