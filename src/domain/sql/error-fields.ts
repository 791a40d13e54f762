/** What pg puts into its errors. */
interface ErrorFields {
  readonly code?: string;
  readonly message: string;
  readonly severity?: string;
  readonly routine?: string;
  readonly position?: string;
}

/** An attempt on several addresses fails with a list of errors and no message of its own. */
export function errorFields(error: unknown): ErrorFields {
  const fields = error as Partial<ErrorFields> & { readonly errors?: readonly unknown[] };
  const message = fields.message ?? String(error);
  if (message === '' && fields.errors?.[0] !== undefined) return errorFields(fields.errors[0]);
  return { ...pick(fields), message: (message || fields.code) ?? 'unknown error' };
}

function pick({ code, severity, routine, position }: Partial<ErrorFields>): Partial<ErrorFields> {
  return {
    ...(code === undefined ? {} : { code }),
    ...(severity === undefined ? {} : { severity }),
    ...(routine === undefined ? {} : { routine }),
    ...(position === undefined ? {} : { position }),
  };
}
