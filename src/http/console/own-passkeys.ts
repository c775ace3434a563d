import { z } from 'zod';
import type { People } from '../../commands/people/people.ts';
import { SESSION_MS } from '../../commands/tenancy/credentials.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { refuseCrossSite } from '../edge/session.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';
import { createdPasskey, creationOptions, PasskeyAnswer, signInOptions } from './passkeys.ts';
import {
  BODY_BYTES_MAX,
  bodyOf,
  invitationIn,
  mustBeWithinLimit,
  PRIVATE,
  type SessionDeps,
} from './session.ts';
import { mustBeSignedIn } from './session-holder.ts';

// What a person does with the own passkeys, and the challenges that browsers sign.

export interface OwnPasskeyDeps extends SessionDeps {
  people: SessionDeps['people'] & Pick<People, 'addPasskey' | 'removePasskey'>;
}

const PATH = '/api/console/passkeys';
/**
 * A key is added soon after a sign-in only: a session that was stolen would otherwise make of itself a
 * way in that outlasts it.
 */
const RECENT_MS = 15 * 60_000;

const Wanted = z.strictObject({ link: z.string().min(1).max(2048).optional() });
const Added = z.strictObject({ name: z.string().trim().min(1).max(100), passkey: PasskeyAnswer });

interface Own {
  personId: string;
  startedAt: number;
}

/** The person who is signed in. */
const ownOf = async (deps: SessionDeps, request: RawRequest): Promise<Own> => {
  const { holder, session } = await mustBeSignedIn(deps, request);
  if (holder.kind !== 'person') {
    throw new AppError('person.only', 'Only a person who signed in may do this');
  }
  return { personId: holder.person.id, startedAt: session.expiresAt - SESSION_MS };
};

const mustBeRecent = ({ startedAt }: Own, now: number): void => {
  if (now - startedAt <= RECENT_MS) return;
  throw new AppError('session.old', 'Sign in again to add a passkey');
};

const recordOf = async ({ authenticator }: SessionDeps, personId: string) => {
  const record = await authenticator.personRecord(personId);
  if (!record) throw new AppError('session.ended', 'The session has ended');
  return record;
};

/** For the invitation that the body names, else for who is signed in. */
const forCreation = async (deps: SessionDeps, request: RawRequest) => {
  const { link } = bodyOf(request, Wanted, '{"link": "…"} or {}');
  const { now } = request;
  if (link !== undefined) {
    const { holder } = invitationIn(deps, link, now);
    return creationOptions(deps, await recordOf(deps, holder.id), request);
  }
  const own = await ownOf(deps, request);
  mustBeRecent(own, now);
  return creationOptions(deps, await recordOf(deps, own.personId), request);
};

const add = async (deps: OwnPasskeyDeps, request: RawRequest) => {
  const { name, passkey } = bodyOf(request, Added, '{"name": "…", "passkey": {…}}');
  const own = await ownOf(deps, request);
  const { personId } = own;
  mustBeRecent(own, request.now);
  await mustBeWithinLimit(deps, personId);
  const created = await createdPasskey(deps, passkey, { personId, name }, request);
  await deps.people.addPasskey(personId, created, request.requestId);
  return reply(201, { success: true }, PRIVATE);
};

export const ownPasskeyRoutes = (deps: OwnPasskeyDeps): readonly RawRoute[] => {
  const posted = (
    path: string,
    handle: (request: RawRequest) => Promise<ReturnType<typeof reply>>,
  ): RawRoute =>
    defineRawRoute({
      method: 'POST',
      path,
      limitBytes: BODY_BYTES_MAX,
      checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
      handle,
    });
  return [
    posted('/api/console/session/challenge', async (request) =>
      reply(200, await signInOptions(deps, request), PRIVATE),
    ),
    posted(`${PATH}/challenge`, async (request) =>
      reply(200, await forCreation(deps, request), PRIVATE),
    ),
    posted(PATH, (request) => add(deps, request)),
    posted(`${PATH}/:id/remove`, async (request) => {
      const { personId } = await ownOf(deps, request);
      await mustBeWithinLimit(deps, personId);
      await deps.people.removePasskey(personId, request.params.id!, request.requestId);
      return reply(200, { success: true }, PRIVATE);
    }),
    defineRawRoute({
      method: 'GET',
      path: PATH,
      limitBytes: 0,
      async handle(request) {
        const { personId } = await ownOf(deps, request);
        const { passkeys } = await recordOf(deps, personId);
        const shown = passkeys.map(({ id, name, addedAt }) => ({ id, name, addedAt }));
        return reply(200, { passkeys: shown }, PRIVATE);
      },
    }),
  ];
};
