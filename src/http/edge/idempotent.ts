import { z } from 'zod';
import type { Asked, Idempotency } from '../../commands/idempotency/idempotency.ts';
import type { Settlement } from '../../commands/idempotency/idempotency-key.ts';
import { bigIntsAsText } from '../../shared/json.ts';
import { type JsonRoute, type RouteInput, successStatus } from '../route/route.ts';
import { parseBody } from './body.ts';
import { type AnyContext, actorOf } from './context.ts';
import { asResponse, problemOf, type Response, recordOf, refusalOf, reply } from './respond.ts';

export const KEY_HEADER = 'idempotency-key';

const Key = z
  .string()
  .regex(/^[ -~]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
  .optional()
  .describe(
    'Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`.',
  );

const Replayed = z.literal('true').optional().meta({
  description: '`true` for the stored response of an earlier request with the same key.',
  example: 'true',
});

/** Final answers of the provider: another try is another send and needs a new key. */
const FINAL = ['provider.refused', 'provider.unknown_outcome'] as const;

const settlementOf = (
  error: unknown,
  resumed: boolean,
  present: (error: unknown) => Response<Record<string, unknown>>,
  namedIn: (body: unknown) => readonly string[],
): Settlement => {
  const refusal = refusalOf(error);
  if (refusal && FINAL.some((code) => code === refusal.code)) {
    const { status, body, headers } = present(error);
    return { kind: 'answered', status, body, headers, contacts: namedIn(body) };
  }
  // An earlier run of a resumed request may have had effects, so its key is not freed.
  const nothingDone = refusal !== undefined && recordOf(refusal.code).status < 500 && !resumed;
  return { kind: nothingDone ? 'freed' : 'interrupted' };
};

/**
 * A disconnect may refund the charge until the response is written. Only then is the response stored;
 * a repeated request must wait meanwhile.
 */
const settleOnceWritten = async (
  written: Promise<boolean>,
  settle: (how: Settlement) => Promise<void>,
  how: Settlement,
): Promise<void> => {
  await settle((await written) ? how : { kind: 'interrupted' });
};

const askedOf = (route: JsonRoute, input: RouteInput, context: AnyContext, key: string): Asked => {
  const { method, path, idempotent } = route;
  const params = (input.params ?? {}) as Record<string, string>;
  const target = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
  return {
    ownerId: context.key?.accountId ?? context.administrator!.id,
    route: `${method} ${path}`,
    target: `${method} ${target}`,
    key,
    body: bigIntsAsText(parseBody(context.bodyBytes)),
    isSend: idempotent?.reversible ?? false,
  };
};

const withKey = (headers: JsonRoute['request'] & object): z.ZodType => {
  const given = headers.headers instanceof z.ZodObject ? headers.headers : z.object({});
  return given.extend({ [KEY_HEADER]: Key });
};

/**
 * Lets a route accept an `Idempotency-Key`: with it the handler runs once, and a repeated request
 * receives the stored response. The handler only passes the claim on to its commands.
 */
export const acceptKeys = (route: JsonRoute, idempotency: Idempotency): JsonRoute => {
  const plainStatus = successStatus(route);
  const { contacts = null, isFinal = () => true, reversible = false } = route.idempotent ?? {};

  const handleOnce = async (input: RouteInput, context: AnyContext, key: string) => {
    // A dry run does nothing, so there is nothing to repeat.
    const isDry = (input.body as { dryRun?: unknown } | undefined)?.dryRun === true;
    if (isDry) return route.handle(input, context);
    const { requestId, key: apiKey, administrator } = context;
    const taken = await idempotency.claim(askedOf(route, input, context, key), {
      requestId,
      ...(apiKey && { accountId: apiKey.accountId }),
      ...(administrator && { by: actorOf(administrator) }),
    });
    if (taken.kind === 'answered') {
      const { status, body, headers } = taken.answer;
      await route.idempotent?.compare?.(input, context, body);
      return reply(status, body, { ...headers, 'Idempotency-Replayed': 'true' });
    }
    const { claim, resumed, settle } = taken;
    try {
      const result = await route.handle(input, Object.assign(context, { claim, resumed }));
      const { status, body, headers } = asResponse(result, plainStatus);
      const how: Settlement = isFinal({ status, body }, input)
        ? { kind: 'answered', status, body, headers, contacts: contacts?.(input, body) ?? [] }
        : { kind: 'interrupted' };
      if (reversible) void settleOnceWritten(context.written(), settle, how);
      else await settle(how);
      return result;
    } catch (error) {
      const present = (one: unknown) => (route.problem ?? problemOf)(one, requestId);
      const namedIn = (body: unknown) => contacts?.(input, body) ?? [];
      await settle(settlementOf(error, resumed, present, namedIn));
      throw error;
    }
  };

  return {
    ...route,
    request: { ...route.request, headers: withKey(route.request ?? {}) },
    responseHeaders: { ...route.responseHeaders, 'Idempotency-Replayed': Replayed },
    errors: [
      ...route.errors,
      'idempotency.in_progress',
      'idempotency.mismatch',
      ...(route.access === 'key' ? (['account.free_writes'] as const) : []),
      ...(contacts ? (['resource.erased'] as const) : []),
    ],
    handleOnce,
  };
};
