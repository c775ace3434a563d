import { inAccount } from '../../events/streams.ts';
import type { WebhookSettings, WebhookSource } from '../../events/webhook.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { invalidFields } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { sortedId } from '../core/identifiers.ts';
import type { Outbound } from '../core/outbound.ts';
import { secretContext } from './attempt.ts';
import type { EndpointCommand } from './endpoint.ts';
import { endpointDecider } from './endpoint.ts';
import type { WebhookLookups } from './ports.ts';

type OfAccount = CommandContext & { accountId: string };

/** Webhooks of one account. */
const WEBHOOKS_MAX = 20;
/** For so long after a rotation, the secret before signs too. */
const ROTATION_MS = 24 * 60 * 60_000;
/** Letters of base64: 33 bytes. */
const SECRET_LETTERS = 44;

interface WebhooksDeps {
  writer: Pick<Writer, 'execute'>;
  lookups: Pick<WebhookLookups, 'count'>;
  outbound: Pick<Outbound, 'problemOf'>;
  secrets: Pick<Secrets, 'seal'>;
  ids: Ids;
  clock: Clock;
}

type Execute = (command: EndpointCommand, context: OfAccount) => Promise<void>;

const createEndpoints = (deps: WebhooksDeps, execute: Execute) => {
  const { lookups, outbound, secrets, ids, clock } = deps;

  const mustBeCallable = async (url: string | undefined) => {
    const problem = url === undefined ? null : await outbound.problemOf(url);
    if (problem !== null) throw invalidFields({ url: [problem] });
  };

  const newSecret = (endpointId: string) => {
    const secret = `whsec_${ids.secret(SECRET_LETTERS)}`;
    return { secret, sealed: secrets.seal(secret, secretContext(endpointId)) };
  };

  return {
    /** Resolves to the id and the secret, which is shown this once. */
    async create(settings: WebhookSettings, context: OfAccount) {
      const { accountId } = context;
      await mustBeCallable(settings.url);
      if ((await lookups.count(accountId)) >= WEBHOOKS_MAX) {
        throw invalidFields({ url: [`an account has ${WEBHOOKS_MAX} webhooks at most`] });
      }
      const endpointId = sortedId('wh', ids);
      const { secret, sealed } = newSecret(endpointId);
      const command = { type: 'Create' as const, endpointId, accountId, settings, secret: sealed };
      await execute(command, context);
      return { endpointId, secret };
    },
    async change(
      endpointId: string,
      change: Partial<WebhookSettings>,
      active: boolean | undefined,
      context: OfAccount,
    ): Promise<void> {
      await mustBeCallable(change.url);
      const { accountId } = context;
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
