import { post, readJson, type Session, startSession } from './api.ts';

// Passkeys of the viewer's device or password manager. The library is loaded when one is used.

/** Whether this browser has them here: never over plain HTTP, and at no address without a name. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|^\[/.test(location.hostname);

const PATH = '/api/console/passkeys';

/** Asks the browser for a new one: for an invitation, or for who is signed in. */
export const makePasskey = async (wanted: { link?: string }): Promise<object> => {
  const optionsJSON = await post(`${PATH}/challenge`, wanted);
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON: optionsJSON as never });
};

export const signInWithPasskey = async (): Promise<Session> => {
  const optionsJSON = await post('/api/console/session/challenge', {});
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startSession({
    passkey: await startAuthentication({ optionsJSON: optionsJSON as never }),
  });
};

export interface Passkey {
  id: string;
  name: string;
  addedAt: string;
}

export const readPasskeys = async (): Promise<readonly Passkey[]> => {
  const { passkeys } = (await readJson(PATH)) as { passkeys: readonly Passkey[] };
  return passkeys;
};

export const addPasskey = async (name: string): Promise<void> => {
  await post(PATH, { name, passkey: await makePasskey({}) });
};

export const removePasskey = async (id: string): Promise<void> => {
  await post(`${PATH}/${id}/remove`, {});
};
