import { inAccount } from '../../events/streams.ts';
import type { WebhookSettings, WebhookSource } from '../../events/webhook.ts';
import { type Clock, type Ids, isoTime, sortedId } from '../../shared/clock.ts';
import { invalidFields } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Outbound } from '../core/outbound.ts';
import { secretContext } from './attempt.ts';
import { type EndpointCommand, endpointDecider, mustFitFormat, noncesOf } from './endpoint.ts';
import type { WebhookLookups } from './ports.ts';

type OfAccount = CommandContext & { accountId: string };

/** Webhooks of one account. */
const WEBHOOKS_MAX = 20;
/** Those that are listed and counted: more than the limit, which concurrent requests can exceed by a few. */
export const WEBHOOKS_LISTED_MAX = 1000;
/** For so long after a rotation, the secret before signs too. */
const ROTATION_MS = 24 * 60 * 60_000;
/** Letters of base64: 33 bytes. */
const SECRET_LETTERS = 44;

/** Time limit of the handshake. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Bytes of its answer that are read: more than the challenge, so that a longer one is seen. */
const HANDSHAKE_BYTES_MAX = 64;

interface WebhooksDeps {
  writer: Pick<Writer, 'execute' | 'load'>;
  lookups: Pick<WebhookLookups, 'count'>;
  outbound: Pick<Outbound, 'problemOf' | 'request'>;
  secrets: Pick<Secrets, 'open' | 'seal' | 'sealedAnew'>;
  ids: Ids;
  clock: Clock;
}

/** Settings as the owner gives them. The token makes it an endpoint of the provider's format. */
interface NewSettings extends Omit<WebhookSettings, 'graph'> {
  verifyToken?: string | undefined;
}

/** The context under which the token of the handshake is sealed. */
const tokenContext = (endpointId: string): string => `webhook token ${endpointId}`;

type Execute = (command: EndpointCommand, context: OfAccount) => Promise<void>;

const createEndpoints = (deps: WebhooksDeps, execute: Execute) => {
  const { lookups, outbound, secrets, ids, clock } = deps;

  const mustBeCallable = async (url: string | undefined) => {
    const problem = url === undefined ? null : await outbound.problemOf(url);
    if (problem === null) return;
    const instead = 'waybill webhook listen brings events to a program on your machine';
    throw invalidFields({ url: [`${problem}; ${instead}`] });
  };

  const newSecret = (endpointId: string) => {
    const secret = `whsec_${ids.secret(SECRET_LETTERS)}`;
    return { secret, sealed: secrets.seal(secret, secretContext(endpointId)) };
  };

  const graphOf = (endpointId: string, verifyToken: string | undefined) =>
    verifyToken === undefined
      ? {}
      : { graph: { verifyToken: secrets.seal(verifyToken, tokenContext(endpointId)) } };

  /** Asks an endpoint, as the provider does, whether it waits for calls. Throws unless it says so. */
  const shakeHands = async (url: string, verifyToken: string): Promise<void> => {
    const challenge = String(Number.parseInt(ids.uuid().slice(-8), 16));
    const asked = new URL(url);
    asked.searchParams.set('hub.mode', 'subscribe');
    asked.searchParams.set('hub.challenge', challenge);
    asked.searchParams.set('hub.verify_token', verifyToken);
    const outcome = await outbound.request({
      url: asked.href,
      method: 'GET',
      headers: {},
      body: null,
      timeoutMs: HANDSHAKE_TIMEOUT_MS,
      bytesMax: HANDSHAKE_BYTES_MAX,
    });
    if (outcome.kind === 'answered' && outcome.status === 200 && outcome.body === challenge) return;
    const why =
      outcome.kind === 'failed'
        ? outcome.reason
        : outcome.status === 200
          ? 'its answer was not the challenge'
          : `it answered ${outcome.status}`;
    const problem = `must answer the handshake, a GET with hub.verify_token, with 200 and hub.challenge: ${why}`;
    throw invalidFields({ url: [problem] });
  };

  /** What a change needs to know of the endpoint of the provider's format; undefined of another one. */
  const graphEndpoint = async (endpointId: string, accountId: string) => {
    const id = inAccount(accountId, endpointId);
    const { state } = await deps.writer.load(endpointDecider, id);
    if (state.accountId !== accountId || !state.graph) return undefined;
    const { verifyToken } = state.graph;
    return { url: state.url, verifyToken: secrets.open(verifyToken, tokenContext(endpointId)) };
  };

  /** Repeats the handshake where the URL or the token changes. */
  const mustAnswer = async (
    endpointId: string,
    { url, verifyToken }: { url: string | undefined; verifyToken: string | undefined },
    accountId: string,
  ) => {
    if (url === undefined && verifyToken === undefined) return;
    const known = await graphEndpoint(endpointId, accountId);
    if (!known) {
      if (verifyToken === undefined) return;
      throw invalidFields({ verifyToken: ['is of webhooks with `format: "graph"` only'] });
    }
    if (
      (url ?? known.url) === known.url &&
      (verifyToken ?? known.verifyToken) === known.verifyToken
    ) {
      return;
    }
    await shakeHands(url ?? known.url, verifyToken ?? known.verifyToken);
  };

  return {
    /** Resolves to the id and the secret, which is shown this once. */
    async create({ verifyToken, ...given }: NewSettings, context: OfAccount) {
      const { accountId } = context;
      await mustBeCallable(given.url);
      if ((await lookups.count(accountId)) >= WEBHOOKS_MAX) {
        throw invalidFields({ url: [`an account has ${WEBHOOKS_MAX} webhooks at most`] });
      }
      const endpointId = sortedId('wh', ids);
      const settings = { ...given, ...graphOf(endpointId, verifyToken) };
      mustFitFormat(settings);
      if (verifyToken !== undefined) await shakeHands(given.url, verifyToken);
      const { secret, sealed } = newSecret(endpointId);
      const command = { type: 'Create' as const, endpointId, accountId, settings, secret: sealed };
      await execute(command, context);
      return { endpointId, secret };
    },
    async change(
      endpointId: string,
      { verifyToken, ...given }: Partial<NewSettings>,
      active: boolean | undefined,
      context: OfAccount,
    ): Promise<void> {
      await mustBeCallable(given.url);
      const { accountId } = context;
      await mustAnswer(endpointId, { url: given.url, verifyToken }, accountId);
      const change = { ...given, ...graphOf(endpointId, verifyToken) };
      await execute({ type: 'Change', endpointId, accountId, change, active }, context);
    },
    /** Resolves to the new secret. */
    async rotate(endpointId: string, context: OfAccount) {
      const { accountId } = context;
      const { secret, sealed } = newSecret(endpointId);
      const previousUntil = isoTime(clock.now() + ROTATION_MS);
      await execute(
        { type: 'Rotate', endpointId, accountId, secret: sealed, previousUntil },
        context,
      );
      return { secret, previousUntil };
    },
    /** Seals its secrets under the newest key. Resolves to whether they were not. */
    async sealAnew(endpointId: string, context: OfAccount): Promise<boolean> {
      const { accountId } = context;
      const { state } = await deps.writer.load(endpointDecider, inAccount(accountId, endpointId));
      if (state.accountId !== accountId) return false;
      const sealedAnew = state.secrets.map(({ sealed }) =>
        secrets.sealedAnew(sealed, secretContext(endpointId)),
      );
      const verifyToken =
        state.graph && secrets.sealedAnew(state.graph.verifyToken, tokenContext(endpointId));
      const isNew =
        verifyToken !== state.graph?.verifyToken ||
        sealedAnew.some((one, index) => one !== state.secrets[index]!.sealed);
      if (!isNew) return false;
      const own = { type: 'SealAnew' as const, endpointId, accountId, instead: noncesOf(state) };
      await execute({ ...own, secrets: sealedAnew, verifyToken: verifyToken ?? null }, context);
      return true;
    },
    async remove(endpointId: string, context: OfAccount): Promise<void> {
      await execute({ type: 'Delete', endpointId, accountId: context.accountId }, context);
    },
  };
};

/** Asks for deliveries, which the worker makes. */
const createRequests = ({ ids, clock }: WebhooksDeps, execute: Execute) => ({
  async test(endpointId: string, context: OfAccount): Promise<void> {
    await execute({ type: 'Test', endpointId, accountId: context.accountId }, context);
  },
  async resend(endpointId: string, source: WebhookSource, context: OfAccount): Promise<void> {
    const { accountId } = context;
    const at = isoTime(clock.now());
    const asked = { ...source, asked: true as const };
    const why = { source: asked, cause: 'resend' as const, at };
    await execute({ type: 'Defer', endpointId, accountId, ...why }, context);
  },
  /** Resolves to the id of the replay. */
  async replay(endpointId: string, since: string, context: OfAccount): Promise<string> {
    const { accountId } = context;
    const replayId = sortedId('rpl', ids);
    await execute({ type: 'StartReplay', endpointId, accountId, replayId, since }, context);
    return replayId;
  },
});

/** Creates and changes the webhooks of accounts, and asks for deliveries. */
export const createWebhooks = (deps: WebhooksDeps) => {
  const execute: Execute = async (command, context) => {
    const assumeNew = command.type === 'Create';
    const id = inAccount(command.accountId, command.endpointId);
    await deps.writer.execute(endpointDecider, id, command, context, { assumeNew });
  };
  return { ...createEndpoints(deps, execute), ...createRequests(deps, execute) };
};

export type Webhooks = ReturnType<typeof createWebhooks>;
