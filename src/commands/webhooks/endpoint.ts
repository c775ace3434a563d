import type { Sealed } from '../../events/phone.ts';
import { SETTINGS_KEY } from '../../events/settings.ts';
import {
  graphTopics,
  type WebhookAnswer,
  WebhookAttempted,
  WebhookChanged,
  WebhookCreated,
  WebhookDeferred,
  WebhookDeleted,
  WebhookDeliveriesDropped,
  WebhookDisabled,
  WebhookEnabled,
  type WebhookFact,
  WebhookReplayEnded,
  WebhookReplayStarted,
  WebhookRotated,
  WebhookSecretsSealed,
  type WebhookSettings,
  type WebhookSource,
  WebhookTested,
} from '../../events/webhook.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

/** A secret that signs; until then where a rotation has replaced it. */
interface SigningSecret {
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
  /** Revision of the last one in the endpoint's stream; null before the first. */
  lastCall: number | null;
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
  /** Changes nothing where the secrets are not those that were opened: `instead` names them by their nonces. */
  | ({
      type: 'SealAnew';
      secrets: Sealed[];
      verifyToken: Sealed | null;
      instead: string;
    } & OfOwner)
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
      /** What was answered, and the ref of the subject whose key seals it. */
      answer?: WebhookAnswer;
      contactRef?: string;
      /** When it is called again, if it failed; null where no call is left. */
      retryAt: string | null;
      at: string;
    } & OfOwner)
  | ({ type: 'Drop'; numbers: readonly number[] } & OfOwner);

/** An endpoint of which no call succeeded for so long is disabled. */
const FAILING_MS_MAX = 5 * 24 * 60 * 60_000;
/** The status by which an endpoint says that it wants no more. */
const GONE = 410;

const endpointUnknown = () => new AppError('resource.unknown', 'Webhook not found');

/** A disabled webhook is called for nothing that is asked. */
const mustBeActive = ({ disabledReason }: EndpointState): void => {
  if (disabledReason === null) return;
  throw new AppError('resource.conflict', 'The webhook is disabled: enable it first');
};

const isSuccess = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** No host has such a name (RFC 6761): its events are read out of the list of deliveries. */
export const isNowhere = (url: string): boolean => new URL(url).hostname.endsWith('.invalid');

const settingsOf = ({ url, topics, description, graph }: WebhookSettings): WebhookSettings => ({
  url,
  topics,
  description,
  ...(graph && { graph }),
});

/** The provider has no webhooks for what the service itself does. */
export const mustFitFormat = ({ topics, graph }: Pick<WebhookSettings, 'topics' | 'graph'>) => {
  const topic = graph && topics.find((one) => !graphTopics.includes(one));
  if (topic === undefined) return;
  throw invalidFields({
    events: [`must not list ${topic}, which the provider's format does not have`],
  });
};

const change = (
  { endpointId, accountId, change: changed, active }: Extract<EndpointCommand, { type: 'Change' }>,
  state: EndpointState,
): readonly WebhookFact[] => {
  const before = settingsOf(state);
  const after = { ...before, ...changed };
  if (changed.topics) mustFitFormat(after);
  const isActive = state.disabledReason === null;
  const facts: WebhookFact[] = [];
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    facts.push(WebhookChanged.of({ endpointId, accountId, ...after }));
  }
  if (active === false && isActive) {
    const why = { reason: 'owner' as const, failingSince: null };
    facts.push(WebhookDisabled.of({ endpointId, accountId, ...why }));
  }
  if (active === true && !isActive) {
    const { replayId } = state;
    // Older logs have replays that were asked of a disabled webhook, and never ran.
    if (replayId !== null) facts.push(WebhookReplayEnded.of({ endpointId, accountId, replayId }));
    facts.push(WebhookEnabled.of({ endpointId, accountId }));
  }
  return facts;
};

/** What a failed call means for the endpoint. */
const disable = (
  { endpointId, accountId, result, at }: Extract<EndpointCommand, { type: 'Record' }>,
  { failingSince, disabledReason, url }: EndpointState,
): readonly WebhookFact[] => {
  if (disabledReason !== null) return [];
  const own = { endpointId, accountId, failingSince: failingSince ?? at };
  if (result.statusCode === GONE) return [WebhookDisabled.of({ ...own, reason: 'gone' })];
  const failingMs = Date.parse(at) - Date.parse(own.failingSince);
  // There, every call fails, and nobody is called: the list is read.
  if (failingMs < FAILING_MS_MAX || isNowhere(url)) return [];
  return [WebhookDisabled.of({ ...own, reason: 'failing' })];
};

const record = (
  command: Extract<EndpointCommand, { type: 'Record' }>,
  state: EndpointState,
): readonly WebhookFact[] => {
  const { endpointId, accountId, source, begun, result, retryAt, at, answer, contactRef } = command;
  const delivered = isSuccess(result.statusCode);
  const over = delivered || retryAt === null || result.statusCode === GONE;
  const attempted = WebhookAttempted.of({
    endpointId,
    accountId,
    ...source,
    ...result,
    number: begun?.number ?? state.deliveries,
    begunAt: begun?.begunAt ?? at,
    attempt: (begun?.attempts ?? 0) + 1,
    at,
    outcome: delivered ? 'delivered' : over ? 'failed' : 'retry',
    nextAt: over ? null : retryAt,
    settled: over ? state.settled : null,
    ...(begun?.lastCall != null && { previous: begun.lastCall }),
    ...(answer && { answer, contactRef }),
  });
  return [attempted, ...(delivered ? [] : disable(command, state))];
};

/** Names the sealed secrets that the endpoint has. */
export const noncesOf = ({ secrets, graph }: Pick<EndpointState, 'secrets' | 'graph'>): string =>
  [...secrets.map(({ sealed }) => sealed.iv), graph?.verifyToken.iv ?? ''].join();

const decide = (command: EndpointCommand, state: EndpointState): readonly WebhookFact[] => {
  const { type, endpointId, accountId } = command;
  const own = { endpointId, accountId };
  if (type === 'Create') {
    if (state.accountId !== null) {
      throw new AppError('resource.conflict', 'The webhook exists already');
    }
    mustFitFormat(command.settings);
    return [WebhookCreated.of({ ...own, ...command.settings, secret: command.secret })];
  }
  // Deliveries of a deleted endpoint may still wait.
  if (type === 'Drop')
    return [WebhookDeliveriesDropped.of({ ...own, numbers: [...command.numbers] })];
  const isOwn = state.accountId === accountId;
  if (!isOwn && (type === 'Record' || type === 'EndReplay')) return [];
  if (!isOwn) throw endpointUnknown();
  switch (type) {
    case 'Change':
      return change(command, state);
    case 'Rotate': {
      const { secret, previousUntil } = command;
      return [WebhookRotated.of({ ...own, secret, previousUntil })];
    }
    case 'SealAnew': {
      const { secrets, verifyToken, instead } = command;
      if (noncesOf(state) !== instead) return [];
      return [WebhookSecretsSealed.of({ ...own, secrets, verifyToken })];
    }
    case 'Delete':
      return [WebhookDeleted.of({ ...own, settled: state.settled })];
    case 'Test':
      mustBeActive(state);
      return [WebhookTested.of(own)];
    case 'StartReplay':
      mustBeActive(state);
      if (state.replayId !== null) {
        throw new AppError('resource.conflict', 'A replay of this webhook is running already');
      }
      return [
        WebhookReplayStarted.of({ ...own, replayId: command.replayId, since: command.since }),
      ];
    case 'EndReplay':
      if (state.replayId !== command.replayId) return [];
      return [WebhookReplayEnded.of({ ...own, replayId: command.replayId })];
    case 'Defer': {
      const { source, cause, at: begunAt } = command;
      const number = state.deliveries;
      return [WebhookDeferred.of({ ...own, number, ...source, begunAt, cause })];
    }
    case 'Record':
      return record(command, state);
  }
};

/** Counts a delivery that is new. */
const counted = ({ deliveries }: EndpointState, number: number): number =>
  Math.max(deliveries, number + 1);

const evolve = (state: EndpointState, { type, data }: WebhookFact): EndpointState => {
  switch (type) {
    case 'WebhookCreated': {
      const secrets = [{ sealed: data.secret, until: null }];
      return { ...state, ...settingsOf(data), accountId: data.accountId, secrets };
    }
    case 'WebhookChanged':
      return { ...state, ...settingsOf(data) };
    case 'WebhookRotated': {
      const [before] = state.secrets;
      const previous = before ? [{ sealed: before.sealed, until: data.previousUntil }] : [];
      return { ...state, secrets: [{ sealed: data.secret, until: null }, ...previous] };
    }
    case 'WebhookSecretsSealed': {
      const { secrets, verifyToken } = data;
      const sealedAnew = state.secrets.map((one, index) => ({ ...one, sealed: secrets[index]! }));
      const graph = verifyToken ? { verifyToken } : state.graph;
      return { ...state, secrets: sealedAnew, ...(graph && { graph }) };
    }
    case 'WebhookDisabled':
      return { ...state, disabledReason: data.reason, replayId: null };
    case 'WebhookEnabled':
      return { ...state, disabledReason: null, failingSince: null };
    case 'WebhookDeleted':
      return { ...initialEndpoint, deliveries: state.deliveries, settled: state.settled };
    case 'WebhookTested':
    case 'WebhookDeliveriesDropped':
      return state;
    case 'WebhookReplayStarted':
      return { ...state, replayId: data.replayId };
    case 'WebhookReplayEnded':
      return { ...state, replayId: null };
    case 'WebhookDeferred':
      return { ...state, deliveries: counted(state, data.number) };
    case 'WebhookAttempted': {
      const failingSince = data.outcome === 'delivered' ? null : (state.failingSince ?? data.at);
      const settled = data.settled === null ? state.settled : data.settled + 1;
      return { ...state, deliveries: counted(state, data.number), settled, failingSince };
    }
  }
};

/** An endpoint of an account, and its deliveries. The endpoint of another account counts as unknown. */
export const endpointDecider: Decider<EndpointState, EndpointCommand, WebhookFact> = {
  category: 'webhook',
  initial: initialEndpoint,
  evolve,
  decide,
  snapshot: {
    version: 3,
    every: 500,
    personal: {
      split: ({ url, ...state }) => ({
        clear: { ...state, url: '' },
        hidden: url,
        under: SETTINGS_KEY,
      }),
      join: (state, hidden) => ({ ...state, url: hidden as string }),
      lasting: ({ url: _, ...state }) => state,
    },
  },
};
