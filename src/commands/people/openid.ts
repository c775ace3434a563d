import type { operatorRoles } from '../../events/person.ts';

/** What a sign-in keeps until its answer comes: in a sealed cookie, and nowhere else. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/** What the issuer says of who signs in. */
export interface IssuedClaims {
  /** Null unless the issuer has verified it. */
  email: string | null;
  name: string | null;
  /** Of the operators; null where no claim names one. */
  role: (typeof operatorRoles)[number] | null;
}

/** Signs people in with OpenID Connect: the authorization code with PKCE. */
export interface OpenId {
  issuer: string;
  /** Throws `service.unavailable` while the issuer is away. */
  begin(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * `answer` is the redirect URI as the browser was led to it. Throws `session.openid` for one that is
   * not the answer to this sign-in.
   */
  finish(answer: URL, pending: PendingSignIn): Promise<IssuedClaims>;
}
