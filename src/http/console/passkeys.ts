import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { Passkey } from '../../events/person.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { refusalOf } from '../edge/respond.ts';
import { originAt, SESSION_ID_LENGTH, type Ticket } from '../edge/session.ts';
import type { RawRequest } from '../route/raw-route.ts';
import type { HolderDeps } from './session-holder.ts';

// Passkeys (WebAuthn): a device signs a challenge of ours with a key that it keeps. A challenge is a sealed
// ticket, so nothing of it is kept here: for a sign-in its id becomes that of the session, which begins
// once; a new key is added once, because its id is known afterwards.

interface PasskeyDeps extends HolderDeps {
  ids: Ids;
}

/** Time to answer a challenge. */
const CHALLENGE_MS = 5 * 60_000;
/** ES256, EdDSA and RS256 of COSE. The library would also ask Node for algorithms that Node warns of. */
const ALGORITHMS = [-7, -8, -257];
/** In a challenge for whoever signs in. */
const ANYBODY = '-';

/** What a browser answers; the library looks at the rest of it. */
export const PasskeyAnswer = z.looseObject({
  id: z.string().max(1400),
  response: z.looseObject({ clientDataJSON: z.string() }),
});
type Answer = z.output<typeof PasskeyAnswer>;

/** Loaded by the first who has to do with a passkey. */
const load = () => import('@simplewebauthn/server');

type At = Pick<RawRequest, 'headers' | 'now'>;

const challengeFor = ({ sessions, ids }: PasskeyDeps, { now }: At, personId: string): string =>
  sessions.sealChallenge({
    id: ids.secret(SESSION_ID_LENGTH),
    holder: { kind: 'person', id: personId },
    expiresAt: now + CHALLENGE_MS,
  });

const hostnameAt = ({ headers }: At): string => new URL(originAt(headers.host)).hostname;

/** What the browser is to make a key for this person with. */
export const creationOptions = async (
  deps: PasskeyDeps,
  person: { id: string; name: string; email: string; passkeys: readonly Passkey[] },
  at: At,
) => {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: 'Waybill',
    rpID: hostnameAt(at),
    userID: Buffer.from(person.id),
    userName: person.email,
    userDisplayName: person.name,
    challenge: challengeFor(deps, at, person.id),
    supportedAlgorithmIDs: ALGORITHMS,
    attestationType: 'none',
    excludeCredentials: person.passkeys.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
};

/** What the browser is to sign in with: any key that it has for this service. */
export const signInOptions = async (deps: PasskeyDeps, at: At) => {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: hostnameAt(at),
    challenge: challengeFor(deps, at, ANYBODY),
    userVerification: 'required',
  });
};

const refused = (cause?: unknown): AppError =>
  new AppError('session.invalid', 'This passkey is not one of a person here', {
    hint: 'Sign in another way, or ask for a new invitation.',
    cause,
  });

/** The challenge of an answer, with its ticket. Throws for one that is not open, or somebody else's. */
const challengeIn = (
  { sessions }: PasskeyDeps,
  { response }: Answer,
  { now }: At,
  personId: string,
): { challenge: string; ticket: Ticket } => {
  const data = Buffer.from(response.clientDataJSON, 'base64url').toString();
  const { challenge } = z.object({ challenge: z.string() }).parse(JSON.parse(data));
  const ticket = sessions.openChallenge(Buffer.from(challenge, 'base64url').toString());
  if (!ticket || ticket.expiresAt <= now || ticket.holder.id !== personId) {
    throw new Error('the challenge is not open');
  }
  return { challenge, ticket };
};

const expected = (challenge: string, at: At) => ({
  expectedChallenge: challenge,
  expectedOrigin: originAt(at.headers.host),
  expectedRPID: hostnameAt(at),
  requireUserVerification: true,
});

/** The key that the person's browser has made. Throws `session.invalid`. */
export const createdPasskey = async (
  deps: PasskeyDeps,
  answer: Answer,
  { personId, name }: { personId: string; name: string },
  at: At,
): Promise<Passkey> => {
  const { verifyRegistrationResponse } = await load();
  try {
    const { challenge } = challengeIn(deps, answer, at, personId);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected(challenge, at),
    });
    const { id: credentialId, publicKey, counter, transports } = registrationInfo!.credential;
    return {
      credentialId,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports ?? [],
      name,
    };
  } catch (cause) {
    throw refused(cause);
  }
};

/** The person who signed the challenge, and the id for the session. Throws `session.invalid`. */
export const signedIn = async (
  deps: PasskeyDeps,
  answer: Answer,
  at: At,
): Promise<{ personId: string; sessionId: string }> => {
  const { verifyAuthenticationResponse } = await load();
  const response = answer as unknown as AuthenticationResponseJSON;
  try {
    const { challenge, ticket } = challengeIn(deps, answer, at, ANYBODY);
    const personId = Buffer.from(response.response.userHandle!, 'base64url').toString();
    const record = await deps.authenticator.personRecord(personId);
    const passkey = record?.passkeys.find(({ credentialId }) => credentialId === answer.id);
    if (!passkey) throw new Error('the passkey is unknown');
    const { verified } = await verifyAuthenticationResponse({
      response,
      ...expected(challenge, at),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: [...passkey.transports] as AuthenticatorTransport[],
      },
    });
    if (!verified) throw new Error('the signature is wrong');
    return { personId, sessionId: ticket.id };
  } catch (cause) {
    // The read models cannot be asked now.
    if (refusalOf(cause)) throw cause;
    throw refused(cause);
  }
};
