import { currentTrace } from '../../shared/trace-context.ts';
import type { Attributes, ChildStart, Span, Tracing } from '../../shared/tracing.ts';

/** What a span records of a result; `failed` is the kind of its failure. */
export interface Told {
  attributes?: Attributes;
  failed?: string | undefined;
}

/** Does the work, and ends the spans with it. */
export const within = async <T>(
  spans: readonly Span[],
  work: () => Promise<T>,
  tell?: (result: T) => Told,
): Promise<T> => {
  try {
    const result = await work();
    const { attributes = {}, failed } = tell?.(result) ?? {};
    for (const span of spans) {
      span.set(attributes);
      if (failed !== undefined) span.fail(failed);
    }
    return result;
  } catch (error) {
    for (const span of spans) span.fail((error as Error).name);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
};

/** Does the work in a span of its own, where the work under way has one. */
export const inSpan = <T>(
  tracing: Tracing,
  start: Omit<ChildStart, 'parent'>,
  work: () => Promise<T>,
  tell?: (result: T) => Told,
): Promise<T> => {
  const span = tracing.child({ ...start, parent: currentTrace() });
  return span ? within([span], work, tell) : work();
};
