/** What a refused request is told; the fields of the service's error bodies. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly hint: string | undefined;
  readonly docUrl: string | undefined;
  readonly requestId: string | undefined;
  readonly fields: Readonly<Record<string, readonly string[]>>;

  constructor(status: number, body: unknown, requestId?: string | null) {
    const { error, code, hint, docUrl } = (body ?? {}) as Record<string, unknown>;
    const invalid = typeof error === 'object' && error !== null;
    super(
      typeof error === 'string'
        ? error
        : invalid
          ? 'Some fields are not valid'
          : `The service answered ${status}`,
    );
    this.name = 'Problem';
    this.status = status;
    this.code = code as string | undefined;
    this.hint = hint as string | undefined;
    this.docUrl = docUrl as string | undefined;
    this.requestId = requestId ?? undefined;
    this.fields = invalid
      ? ((error as { fieldErrors?: Record<string, string[]> }).fieldErrors ?? {})
      : {};
  }
}

/** A request that got no answer. */
export class Unreachable extends Error {
  readonly hint = 'Check the connection; the console tries again by itself.';

  constructor(cause: unknown) {
    super('The service could not be reached', { cause });
    this.name = 'Unreachable';
  }
}
