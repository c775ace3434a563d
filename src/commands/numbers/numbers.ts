import type { PhoneProfile, Sealed } from '../../events/phone.ts';
import {
  isProviderError,
  type Provider,
  ProviderRefused,
  type Sender,
} from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import { senderOf, tokenContext } from '../sending/outgoing.ts';
import { alreadyLinked, type PhoneCommand, phoneDecider, unknownNumber } from './phone.ts';

/** Messages per second that the provider allows a number. */
export const DEFAULT_MESSAGES_PER_SECOND = 80;

interface LinkRequest {
  accountId: string;
  phoneNumberId: string;
  wabaId: string;
  accessToken?: string | undefined;
  displayPhoneNumber?: string | undefined;
  verifiedName?: string | undefined;
  messagesPerSecond?: number | undefined;
  messagingAccountId?: string | undefined;
}

interface Deps {
  writer: Writer;
  lookups: Pick<Lookups, 'account' | 'number'>;
  provider: Provider;
  secrets: Secrets;
}

const sealed = (secrets: Secrets, phoneNumberId: string, token: string | null): Sealed | null =>
  token === null ? null : secrets.seal(token, tokenContext(phoneNumberId));

const execute = (
  { writer }: Deps,
  { phoneNumberId, accountId }: { phoneNumberId: string; accountId: string },
  command: PhoneCommand,
  context: CommandContext,
) => writer.execute(phoneDecider, phoneNumberId, command, { ...context, accountId });

/** The provider's profile of the number; undefined without a token, or if it cannot be read. */
const readProfile = async ({ provider }: Deps, request: LinkRequest, messagesPerSecond: number) => {
  const { phoneNumberId, wabaId, accessToken } = request;
  if (accessToken === undefined) return undefined;
  return provider
    .readNumber({ phoneNumberId, wabaId, accessToken, messagesPerSecond })
    .catch((error: unknown) => {
      if (!isProviderError(error)) throw error;
    });
};

/** Subscribes our app to the business account. What the provider says of it is stored; linking never fails for it. */
const subscribe = async (
  deps: Deps,
  number: { phoneNumberId: string; accountId: string },
  sender: Sender,
  context: CommandContext,
): Promise<void> => {
  const { phoneNumberId } = number;
  const subscription = await deps.provider.subscribe(sender).catch((error: unknown) => {
    if (!isProviderError(error)) throw error;
  });
  if (!subscription) return;
  const command = { type: 'NoteSubscription' as const, phoneNumberId, ...subscription };
  await execute(deps, number, command, context);
};

const link = async (deps: Deps, request: LinkRequest, context: CommandContext): Promise<void> => {
  const { lookups, secrets } = deps;
  const { accountId, phoneNumberId, wabaId, accessToken = null } = request;
  const { displayPhoneNumber = '', verifiedName = '' } = request;
  const { messagesPerSecond = DEFAULT_MESSAGES_PER_SECOND } = request;
  if (!(await lookups.account(accountId))) {
    throw new AppError('resource.unknown', 'Account not found');
  }
  if (await lookups.number(phoneNumberId)) throw alreadyLinked();
  const { messagingAccountId } = request;
  const read: PhoneProfile = (await readProfile(deps, request, messagesPerSecond)) ?? {
    displayPhoneNumber,
    verifiedName,
    qualityRating: null,
    registered: null,
    blockers: [],
    limits: [],
  };
  const profile = messagingAccountId === undefined ? read : { messagingAccountId, ...read };
  const token = sealed(secrets, phoneNumberId, accessToken);
  const number = { phoneNumberId, wabaId, accountId };
  const terms = { ...number, accessToken: token, profile, messagesPerSecond };
  await execute(deps, number, { type: 'Link', terms }, context);
  if (accessToken === null) return;
  const sender = { phoneNumberId, wabaId, accessToken, messagesPerSecond };
  await subscribe(deps, number, sender, context);
};

/** Links business numbers to accounts and keeps the provider's profile of them. */
export const createNumbers = (deps: Deps) => {
  const { lookups, provider, secrets } = deps;

  const mustFind = async (phoneNumberId: string): Promise<NumberRecord> => {
    const number = await lookups.number(phoneNumberId);
    if (!number) throw unknownNumber();
    return number;
  };

  const noteProfile = async (
    number: NumberRecord,
    profile: Partial<PhoneProfile>,
    context: CommandContext,
  ): Promise<void> => {
    const { phoneNumberId } = number;
    await execute(deps, number, { type: 'NoteProfile', phoneNumberId, profile }, context);
  };

  return {
    link: (request: LinkRequest, context: CommandContext) => link(deps, request, context),

    async setToken(
      phoneNumberId: string,
      accessToken: string | null,
      context: CommandContext,
    ): Promise<void> {
      const number = await mustFind(phoneNumberId);
      const token = sealed(secrets, phoneNumberId, accessToken);
      const command = { type: 'SetToken' as const, phoneNumberId, accessToken: token };
      await execute(deps, number, command, context);
      if (accessToken !== null) await subscribe(deps, number, { ...number, accessToken }, context);
    },

    /** Seals the access token under the newest key. Resolves to whether it was not. */
    async sealToken(phoneNumberId: string, context: CommandContext): Promise<boolean> {
      const number = await lookups.number(phoneNumberId);
      const sealed = number?.accessToken;
      if (!sealed) return false;
      const accessToken = secrets.sealedAnew(sealed, tokenContext(phoneNumberId));
      if (accessToken === sealed) return false;
      const command = { type: 'SealToken' as const, phoneNumberId, accessToken };
      await execute(deps, number, { ...command, instead: sealed.iv }, context);
      return true;
    },

    /** Registers the number for the provider's hosted interface, then reads its profile again. */
    async register(phoneNumberId: string, pin: string, context: CommandContext): Promise<void> {
      const number = await mustFind(phoneNumberId);
      const sender = senderOf(number, secrets);
      await provider.registerNumber(sender, pin).catch(providerFailed);
      const profile = await provider.readNumber(sender).catch((error: unknown) => {
        if (!isProviderError(error)) throw error;
        return { registered: true, blockers: [] };
      });
      await noteProfile(number, profile, context);
    },

    /** Reads the provider's current profile of the number, and subscribes our app where it is not. */
    async refresh(phoneNumberId: string, context: CommandContext): Promise<void> {
      const number = await mustFind(phoneNumberId);
      const sender = senderOf(number, secrets);
      const profile = await provider.readNumber(sender).catch(providerFailed);
      await noteProfile(number, profile, context);
      await subscribe(deps, number, sender, context);
    },

    async unlink(phoneNumberId: string, context: CommandContext): Promise<void> {
      const number = await mustFind(phoneNumberId);
      await execute(deps, number, { type: 'Unlink', phoneNumberId }, context);
    },
  };
};

export type Numbers = ReturnType<typeof createNumbers>;

/** Turns an error of the provider into one that names its reason. */
export const providerFailed = (error: unknown): never => {
  if (error instanceof ProviderRefused) {
    const { code, message } = error.refusal;
    throw new AppError('provider.failed', `The provider refused: ${message}`, {
      providerCode: code,
      providerMessage: message,
      cause: error,
    });
  }
  if (!isProviderError(error)) throw error;
  throw new AppError('provider.failed', 'The provider could not be reached', { cause: error });
};
