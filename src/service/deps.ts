import type { Policy } from '../audit/witness/policy.ts';
import type { FileBounds } from '../commands/jobs/read-file.ts';
import type { OpenId } from '../commands/people/openid.ts';
import type { OpenScratch } from '../events/scratch.ts';
import type { EventStore } from '../events/store.ts';
import type { ByteBudget, RateLimiter } from '../http/edge/limits.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { DemoSecrets } from '../http/reference/page.ts';
import type { LiveKey } from '../keys/installation-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Resolve } from '../net/resolve.ts';
import type { Coordination } from '../projections/coordination.ts';
import type { Engine } from '../projections/engine/engine.ts';
import type { ListBounds } from '../projections/engine/lists.ts';
import type { Views, ViewsReader } from '../projections/views.ts';
import type { Heard, Provider } from '../provider/provider.ts';
import type { Clock, Ids } from '../shared/clock.ts';
import type { InstallationKey } from '../shared/installation-key.ts';
import type { Logger } from '../shared/logger.ts';
import type { PasswordCost } from '../shared/passwords.ts';
import type { Tracing } from '../shared/tracing.ts';
import type { SealingPauses } from './books/seal-status.ts';
import type { ChargingBounds } from './charging.ts';
import type { Certificates } from './health/certificates.ts';
import type { Backups } from './workers/backups.ts';

/** What differs from one way of running to another. */
export interface ServiceParts {
  store: EventStore;
  coordination: Coordination;
  keys: KeyStore;
  openScratch: OpenScratch;
  provider: Provider;
  heard: () => Heard;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  keyLimits: RateLimiter;
  addressLimits: RateLimiter;
  installationKey: InstallationKey & Pick<LiveKey, 'extend'>;
  settings: {
    /** Of the root administrator, the present one first. */
    adminTokens: readonly string[];
    /** None: the webhook answers 503. */
    appSecrets: readonly string[];
    verifyTokens: readonly string[];
    /** For one call of the provider with all its waiting and retries, in milliseconds. */
    providerTimeoutMs: number;
    /** The provider's API, from whose origin files may be read. */
    providerUrl: string;
    trustProxyHops: number;
    /** Whether each request gets a line in the log. */
    accessLog: boolean;
    /** Where an account asks for a top-up, as a link; null where the operator names none. */
    topUp: string | null;
    /** Private addresses and networks that forwards and bots may call. */
    forwardAllow: readonly string[];
    /** Months for which items of the provider are kept that belong to no account. */
    deadLetterRetentionMonths: number;
    /** Signs and delivers the seals of the ledger; the key derives from the secret when absent. */
    seals: { key: Uint8Array | null; file: string | null; url: string | null };
    /** Who is asked to sign each seal, too. */
    witnesses: Pick<Policy, 'witnesses'> | null;
    /** Whether this process runs projections, reactors and sweeps. */
    worker: boolean;
    /** Whether it answers requests beside those for its health. */
    api: boolean;
  };
  /** Null where no place for backups is set. */
  backups: Backups | null;
  /** Absent where no server is called by TLS. */
  certificates?: Certificates | undefined;
  /** Signs people in; null where no issuer is set. */
  openId: OpenId | null;
  /** False until the secret is checked against a log that was away at the start. */
  isSecretChecked: () => boolean;
  /** For tests: how forwards and bots find addresses. */
  resolve?: Resolve;
  /** For tests: what the hash of a password costs. */
  passwordCost?: PasswordCost;
  /** For tests: answers that their route does not declare become a 500. */
  checkResponses?: boolean;
  /** For tests: bounds that can be reached. */
  bounds?: ChargingBounds & {
    lists?: Partial<ListBounds>;
    sealing?: Partial<SealingPauses>;
    /** How long refusals are counted before the count is written. */
    refusalsAfterMs?: number;
    webhookTimeoutMs?: number;
    leaseRenewEveryMs?: number;
    /** Scheduled sends of an account that may wait. */
    waitingMax?: number;
    jobFiles?: Partial<FileBounds>;
  };
  metrics: Metrics;
  /** Absent while traces are off. */
  tracing?: Tracing | undefined;
  /** What the reference fills in; only the demo gives it. */
  demoSecrets?: (() => DemoSecrets | undefined) | undefined;
  /** For tests: bytes of bodies without a credential that are held. */
  bodyBudget?: ByteBudget;
}

/** The engine, in this thread or in one of its own. */
export type ProjectionEngine = Pick<
  Engine,
  'start' | 'stop' | 'hold' | 'reader' | 'status' | 'rebuild' | 'erase' | 'clean'
>;

/** The service makes an engine over views that it may write; an engine that is given writes them. */
export type ReadModels =
  | { views: Views; engine?: undefined }
  | {
      views: ViewsReader;
      engine: ProjectionEngine;
    };

export type ServiceDeps = ServiceParts & ReadModels;
