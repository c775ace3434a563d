import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { NONCE_BYTES, TAG_BYTES } from '../../shared/aes.ts';
import { AppError } from '../../shared/errors.ts';
import type { Sealed, Secrets } from '../../shared/secrets.ts';

// A browser that signed in to the console sends a cookie instead of a credential. The cookie is sealed
// and names the holder by its id: a revoked key or administrator ends its sessions at once.

/** Who signed in. */
export interface SessionHolder {
  kind: 'administrator' | 'key' | 'person';
  id: string;
}

/** Characters of [0-9A-Za-z]: 131 bits. */
export const SESSION_ID_LENGTH = 22;

const BRIEF = 'brief_';

/** The id of a session that the log could not take: no event tells of its beginning or its end. */
export const briefId = (id: string): string => `${BRIEF}${id}`;
export const isBrief = (id: string): boolean => id.startsWith(BRIEF);

/** A session, or a link that begins one. */
export interface Ticket {
  id: string;
  holder: SessionHolder;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

export interface Sessions {
  /** The value of a cookie. */
  seal(session: Ticket): string;
  /** The session of the request's cookie, expired or not; undefined without a valid cookie. */
  of(request: Pick<IncomingMessage, 'headers'>): Ticket | undefined;
  sealLink(link: Ticket): string;
  /** Undefined for a text that is no link of this service. */
  openLink(text: string): Ticket | undefined;
  /** The id of the ticket is that of the invitation. */
  sealInvitation(invitation: Ticket): string;
  openInvitation(text: string): Ticket | undefined;
  /** What the browser keeps of a sign-in by OpenID Connect that has begun. */
  sealPending(text: string): string;
  openPending(text: string): string | undefined;
  /** What a passkey signs. */
  sealChallenge(challenge: Ticket): string;
  openChallenge(text: string): Ticket | undefined;
}

const SESSION_COOKIE = 'waybill_console';
/** Browsers keep a `Secure` cookie of this machine only over HTTPS, some of them. */
const isThisMachine = (host: string | undefined): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host ?? '');

/**
 * The session's cookie at a host. Browsers take a name with `__Host-` from that host itself alone, and over
 * HTTPS: another host of the domain cannot put its own session there.
 */
const cookieAt = (host: string | undefined, name: string = SESSION_COOKIE) =>
  isThisMachine(host) ? { name, isSecure: false } : { name: `__Host-${name}`, isSecure: true };

/** The origin of the page that a request comes from, which is https but on this machine. */
export const originAt = (host: string | undefined): string => {
  const url = URL.parse(`${isThisMachine(host) ? 'http' : 'https'}://${host}`);
  if (!url) throw new AppError('request.malformed', 'The header Host names no host');
  return url.origin;
};

interface Cookie {
  /** That of the session when absent. */
  name?: string;
  value: string;
  /** How long it is kept; 0 takes it away. */
  seconds: number;
  /** Whether a page of another site may lead here with it. */
  isLax?: boolean;
}

/** The header that sets a cookie which no script reads. */
export const setCookie = (
  host: string | undefined,
  { name, value, seconds, isLax = false }: Cookie,
): string => {
  const at = cookieAt(host, name);
  return [
    `${at.name}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${isLax ? 'Lax' : 'Strict'}`,
    `Max-Age=${seconds}`,
    ...(at.isSecure ? ['Secure'] : []),
  ].join('; ');
};
/** A page of another site cannot send this header, because no preflight allows it. */
const OWN_HEADER = 'x-waybill-console';

/** The value of a cookie of ours. */
export const cookieIn = (
  { cookie = '', host }: IncomingHttpHeaders,
  base?: string,
): string | undefined => {
  const { name } = cookieAt(host, base);
  return new RegExp(`(?:^|;\\s*)${name}=([\\w.-]{1,512})(?:;|$)`).exec(cookie)?.[1];
};

/** Short, because a person copies a link by hand: `a.<id>.<end>.<holder>`. */
const textOf = ({ id, holder, expiresAt }: Ticket): string =>
  [holder.kind.slice(0, 1), id, expiresAt.toString(36), holder.id].join('.');

const ticketForm = /^([akp])\.([\w-]+)\.([0-9a-z]+)\.([\w-]+)$/;
const kinds: Readonly<Record<string, SessionHolder['kind']>> = {
  a: 'administrator',
  k: 'key',
  p: 'person',
};

const ticketIn = (text: string): Ticket => {
  const [, kind, id, end, holderId] = ticketForm.exec(text)!;
  const holder = { kind: kinds[kind!]!, id: holderId! };
  return { id: id!, holder, expiresAt: Number.parseInt(end!, 36) };
};

/** `<name of the key>.<nonce, tag and text in base64url>`. */
const shortOf = ({ key, iv, tag, text }: Sealed): string => {
  const bytes = Buffer.concat([iv, tag, text].map((part) => Buffer.from(part, 'base64')));
  return `${key}.${bytes.toString('base64url')}`;
};

const sealedIn = (short: string): Sealed => {
  const [key = '', body = ''] = short.split('.');
  const bytes = Buffer.from(body, 'base64url');
  const part = (from: number, to?: number) => bytes.subarray(from, to).toString('base64');
  const textAt = NONCE_BYTES + TAG_BYTES;
  return { key, iv: part(0, NONCE_BYTES), tag: part(NONCE_BYTES, textAt), text: part(textAt) };
};

type Use = 'session' | 'link' | 'invitation' | 'pending' | 'challenge';

/**
 * `marks` change with the tokens of the root administrator, the present one first, so that a token that
 * is gone ends the sessions that began under it.
 */
export const createSessions = (
  secrets: Pick<Secrets, 'seal' | 'open' | 'checkOf'>,
  marks: readonly string[],
): Sessions => {
  // Made when they are needed: the key of the installation may be read after the start.
  const contextOf = (use: Use, mark: string) => `console-${use}:${secrets.checkOf(mark)}`;
  const sealText = (text: string, use: Use) =>
    shortOf(secrets.seal(text, contextOf(use, marks[0]!)));
  const openText = (text: string, use: Use): string | undefined => {
    for (const mark of marks) {
      try {
        return secrets.open(sealedIn(text), contextOf(use, mark));
      } catch {
        // It may be sealed under the other one.
      }
    }
    return undefined;
  };
  const seal = (ticket: Ticket, use: Use) => sealText(textOf(ticket), use);
  const open = (text: string, use: Use): Ticket | undefined => {
    const opened = openText(text, use);
    return opened === undefined ? undefined : ticketIn(opened);
  };
  return {
    seal: (session) => seal(session, 'session'),
    of({ headers }) {
      const value = cookieIn(headers);
      return value === undefined ? undefined : open(value, 'session');
    },
    sealLink: (link) => seal(link, 'link'),
    openLink: (text) => open(text, 'link'),
    sealInvitation: (invitation) => seal(invitation, 'invitation'),
    openInvitation: (text) => open(text, 'invitation'),
    sealPending: (text) => sealText(text, 'pending'),
    openPending: (text) => openText(text, 'pending'),
    sealChallenge: (challenge) => seal(challenge, 'challenge'),
    openChallenge: (text) => open(text, 'challenge'),
  };
};

/**
 * Refuses a request that another site made the browser send. `SameSite=Strict` keeps the cookie from
 * other sites already; this check holds for browsers and sites for which it does not.
 */
export const refuseCrossSite = ({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): void => {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isReading = method === 'GET' || method === 'HEAD';
  const isSame =
    (site === undefined || site === 'same-origin' || (isReading && site === 'none')) &&
    (origin === undefined || origin.replace(/^https?:\/\//, '') === host) &&
    (isReading || headers[OWN_HEADER] !== undefined);
  if (isSame) return;
  throw new AppError('request.cross_site', 'A console session works from the console alone');
};
