import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Authenticator } from '../edge/admission.ts';
import type { Administrator, AuthenticatedKey, RequestContext } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

/** An event as viewers are told of it: without personal data. */
export interface LiveEvent {
  type: string;
  position: string;
  at: string;
  accountId: string | null;
  chargeId?: string;
  status?: string;
}

export interface LiveFeed {
  /** Whether this viewer, an administrator or an account, may open one more connection. */
  hasRoom(viewer: string): boolean;
  /** Calls `tell` for each event from now on. Returns the function that ends it. */
  watch(viewer: string, tell: (event: LiveEvent) => void): () => void;
}

export interface LiveDeps {
  live: LiveFeed;
  authenticator: Pick<
    Authenticator,
    'apiKeyById' | 'administratorById' | 'personById' | 'accountsOf' | 'isSuspended' | 'isOpen'
  >;
  clock: Clock;
  /** Fires when the service stops. */
  stopping: AbortSignal;
}

/** A message gathers the events of this time, so that a busy service does not flood its viewers. */
const GATHER_MS = 500;
/** Events of one message; `more` counts the others. */
const EVENTS_MAX = 50;
/** A comment keeps proxies from closing a silent connection. */
const SILENCE_MS = 15_000;
/** A browser connects again by itself; its request is then admitted anew. */
const CONNECTION_MS = 5 * 60_000;

const Live = z
  .object({
    events: z
      .array(
        z.object({
          type: z.string().describe('Type of the event.'),
          position: z.string().describe('Position in the log: opaque, compared as text.'),
          at: z.iso.datetime().describe('Time of the event, ISO 8601.'),
          accountId: z.string().nullable().describe('Id of its account, or null.'),
          chargeId: z.string().optional().describe('Id of its charge, if it has one.'),
          status: z.string().optional().describe('The delivery status of an update.'),
        }),
      )
      .describe('The newest events, the oldest first, 50 at most.'),
    more: z.int().describe('How many earlier events the message leaves out.'),
  })
  .meta({ id: 'LiveEvents' });

interface Viewer {
  id: string;
  concerns(event: LiveEvent): boolean;
  /** Whether a new request of this viewer would be admitted. */
  isAdmitted(): Promise<boolean>;
}

/** Server-sent events: what happened, gathered, until the viewer goes. */
const streamOf = (
  { live, stopping }: LiveDeps,
  { id, concerns, isAdmitted }: Viewer,
  gone: AbortSignal,
): Readable => {
  let gathered: LiveEvent[] = [];
  let more = 0;
  let isOver = false;
  const stream = new Readable({ read() {} });
  const end = () => {
    if (!isOver) stream.push(null);
    isOver = true;
  };
  const unwatch = live.watch(id, (event) => {
    if (!concerns(event)) return;
    gathered.push(event);
    if (gathered.length <= EVENTS_MAX) return;
    gathered.shift();
    more += 1;
  });
  /** Ends the stream of a viewer who is not admitted any more, such as the holder of a revoked key. */
  const push = async (text: string) => {
    if (!(await isAdmitted().catch(() => false))) end();
    else if (!isOver) stream.push(text);
  };
  const tell = () => {
    // A viewer who does not read gets what is newest once there is room again.
    if (gathered.length === 0 || stream.readableLength > 0) return;
    push(`data: ${JSON.stringify({ events: gathered, more })}\n\n`);
    gathered = [];
    more = 0;
  };
  const timers = [
    setInterval(tell, GATHER_MS),
    setInterval(() => stream.readableLength === 0 && push(': here\n\n'), SILENCE_MS),
    setTimeout(end, CONNECTION_MS),
  ];
  stopping.addEventListener('abort', end, { once: true });
  gone.addEventListener('abort', () => stream.destroy(), { once: true });
  stream.once('close', () => {
    isOver = true;
    unwatch();
    for (const timer of timers) clearTimeout(timer);
    stopping.removeEventListener('abort', end);
  });
  stream.push('retry: 1000\n\n');
  return stream;
};

const common = {
  method: 'GET',
  summary: 'Follow what happens, as server-sent events',
  description:
    'Each message has the events of half a second as JSON, without personal data. The connection ends after 5 minutes; a browser connects again by itself, and reads then what it shows.',
  answer: 'A stream of `text/event-stream`; each `data` is a JSON object of this shape.',
  responses: { 200: Live },
  download: 'events',
  errors: [],
} as const;

const answer = (deps: LiveDeps, viewer: Viewer, { session, signal }: RequestContext) => {
  if (!deps.live.hasRoom(viewer.id) || deps.stopping.aborted) {
    throw new AppError('service.unavailable', 'Too many viewers follow the events', {
      retryAfterSeconds: 10,
    });
  }
  const isAdmitted = async () => {
    if (session && session.expiresAt <= deps.clock.now()) return false;
    if (session && !(await deps.authenticator.isOpen(session.id))) return false;
    return viewer.isAdmitted();
  };
  return reply(200, streamOf(deps, { ...viewer, isAdmitted }, signal()) as never, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Proxies that gather an answer would hold the events back.
    'X-Accel-Buffering': 'no',
  });
};

/** An administrator is told of all accounts. */
const administratorOf = ({ authenticator }: LiveDeps, { id, isPerson }: Administrator): Viewer => ({
  id,
  concerns: () => true,
  async isAdmitted() {
    const lookup = isPerson ? authenticator.personById : authenticator.administratorById;
    return (await lookup(id)) !== undefined;
  },
});

/** A key is told of its account. */
const keyOf = (
  { authenticator, clock }: LiveDeps,
  { keyId, accountId: id, organisationId, person }: AuthenticatedKey,
): Viewer => ({
  id,
  concerns: ({ accountId }) => accountId === id,
  async isAdmitted() {
    if (person) {
      const found = await authenticator.personById(keyId);
      if (!found || (await authenticator.isSuspended(organisationId))) return false;
      return (await authenticator.accountsOf(found)).some((one) => one.id === id);
    }
    const key = await authenticator.apiKeyById(keyId, clock.now());
    return key !== undefined && !key.organisationSuspended;
  },
});

/** The events of all accounts for administrators, and those of its account for a key. */
export const liveRoutes = (deps: LiveDeps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    path: '/admin/v1/live',
    access: 'administrator',
    tags: ['Operations'],
    handle: (_, context) => answer(deps, administratorOf(deps, context.administrator), context),
  }),
  defineRoute({
    ...common,
    path: '/v1/live',
    access: 'key',
    scope: 'messages:read',
    tags: ['Messages'],
    request: {
      query: z.object({
        account: z.string().max(100).optional().describe('As the header `X-Waybill-Account`.'),
      }),
    },
    handle: (_, context) => answer(deps, keyOf(deps, context.key), context),
  }),
];
