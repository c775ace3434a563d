import type { Sealed } from '../../events/phone.ts';
import type { WebhookSettings, WebhookSource } from '../../events/webhook.ts';

/** A secret that signs; until then where a rotation has replaced it. */
export interface SigningSecret {
  sealed: Sealed;
  until: string | null;
}

export interface EndpointState extends WebhookSettings {
  /** The owner, null before the creation and after the deletion. */
  accountId: string | null;
  /** The newest first. */
  secrets: readonly SigningSecret[];
  /** Null while it is active. */
  disabledReason: 'owner' | 'gone' | 'failing' | null;
  /** The first failed call since the last one that succeeded. */
  failingSince: string | null;
  /** Deliveries that were begun, and those that were settled. */
  deliveries: number;
  settled: number;
  replayId: string | null;
}

export const initialEndpoint: EndpointState = {
  accountId: null,
  url: '',
  topics: [],
  description: null,
  secrets: [],
  disabledReason: null,
  failingSince: null,
  deliveries: 0,
  settled: 0,
  replayId: null,
};

/** A delivery that has a number. */
export interface Begun {
  number: number;
  begunAt: string;
  /** The calls so far, those of an earlier run of it not counted. */
  attempts: number;
}

/** How a call ended. */
export interface CallResult {
  statusCode: number | null;
  latencyMs: number;
  error: string | null;
}

type OfOwner = { endpointId: string; accountId: string };

export type EndpointCommand =
  | ({ type: 'Create'; settings: WebhookSettings; secret: Sealed } & OfOwner)
  | ({ type: 'Change'; change: Partial<WebhookSettings>; active: boolean | undefined } & OfOwner)
  | ({ type: 'Rotate'; secret: Sealed; previousUntil: string } & OfOwner)
  | ({ type: 'Delete' } & OfOwner)
  | ({ type: 'Test' } & OfOwner)
  | ({ type: 'StartReplay'; replayId: string; since: string } & OfOwner)
  | ({ type: 'EndReplay'; replayId: string } & OfOwner)
  | ({
      type: 'Defer';
      source: WebhookSource;
      cause: 'no_room' | 'resend';
      at: string;
    } & OfOwner)
  | ({
      type: 'Record';
      source: WebhookSource;
      /** Undefined for the first call of a delivery that never waited. */
      begun: Begun | undefined;
      result: CallResult;
      /** When it is called again, if it failed; null where no call is left. */
      retryAt: string | null;
      at: string;
    } & OfOwner)
  | ({ type: 'Drop'; numbers: readonly number[] } & OfOwner);
