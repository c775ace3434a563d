import type { IncomingMessage } from 'node:http';
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
}

const SESSION_COOKIE = 'waybill_console';
/** Browsers keep a `Secure` cookie of this machine only over HTTPS, some of them. */
const isThisMachine = (host: string | undefined): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host ?? '');

/**
 * The session's cookie at a host. Browsers take a name with `__Host-` from that host itself alone, and over
 * HTTPS: another host of the domain cannot put its own session there.
 */
export const cookieAt = (host: string | undefined) =>
  isThisMachine(host)
    ? { name: SESSION_COOKIE, isSecure: false }
    : { name: `__Host-${SESSION_COOKIE}`, isSecure: true };
/** A page of another site cannot send this header, because no preflight allows it. */
const OWN_HEADER = 'x-waybill-console';

const valueIn = (cookies: string, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w.-]{1,512})(?:;|$)`).exec(cookies)?.[1];

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

type Use = 'session' | 'link' | 'invitation';

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
  const seal = (ticket: Ticket, use: Use) =>
    shortOf(secrets.seal(textOf(ticket), contextOf(use, marks[0]!)));
  const open = (text: string, use: Use): Ticket | undefined => {
    for (const mark of marks) {
      try {
        return ticketIn(secrets.open(sealedIn(text), contextOf(use, mark)));
      } catch {
        // It may be sealed under the other one.
      }
    }
    return undefined;
  };
  return {
    seal: (session) => seal(session, 'session'),
    of({ headers }) {
      const value = valueIn(headers.cookie ?? '', cookieAt(headers.host).name);
      return value === undefined ? undefined : open(value, 'session');
    },
    sealLink: (link) => seal(link, 'link'),
    openLink: (text) => open(text, 'link'),
    sealInvitation: (invitation) => seal(invitation, 'invitation'),
    openInvitation: (text) => open(text, 'invitation'),
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
