import type { PhoneProfile } from '../../events/phone.ts';
import { type Provider, ProviderRefused, ProviderUnreachable } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import { senderOf, tokenContext } from '../sending/senders.ts';
import { type PhoneTerms, phoneDecider } from './phone.ts';

/** Messages a second that the provider lets a number send. */
export const DEFAULT_MESSAGES_PER_SECOND = 80;

export interface LinkRequest {
  accountId: string;
  phoneNumberId: string;
  wabaId: string;
  accessToken?: string | undefined;
  displayPhoneNumber?: string | undefined;
  verifiedName?: string | undefined;
  messagesPerSecond?: number | undefined;
}

/** Linking business numbers to accounts and keeping what the provider says of them. */
export const createNumbers = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'account' | 'number'>;
  provider: Provider;
  secrets: Secrets;
}) => {
  const { writer, lookups, provider, secrets } = deps;

  const mustFind = async (phoneNumberId: string): Promise<NumberRecord> => {
    const number = await lookups.number(phoneNumberId);
    if (!number) throw new AppError('number.unknown', 'Phone number not found');
    return number;
  };

  const onAccount = (number: { accountId: string }, context: CommandContext) => ({
    ...context,
    accountId: number.accountId,
  });

  /** What the provider says, or undefined when it cannot be read. */
  const readProfile = async (request: LinkRequest, pace: number) => {
    if (request.accessToken === undefined) return undefined;
    const { phoneNumberId, wabaId, accessToken } = request;
    const sender = { phoneNumberId, wabaId, accessToken, messagesPerSecond: pace };
    try {
      return await provider.readNumber(sender);
    } catch (error) {
      if (error instanceof ProviderUnreachable || error instanceof ProviderRefused) {
        return undefined;
      }
      throw error;
    }
  };

  const refreshOne = async (number: NumberRecord, context: CommandContext): Promise<void> => {
    const profile = await provider.readNumber(senderOf(number, secrets));
    const { phoneNumberId } = number;
    const command = { type: 'NoteProfile' as const, phoneNumberId, profile };
    await writer.execute(phoneDecider, phoneNumberId, command, onAccount(number, context));
  };

  return {
    async link(request: LinkRequest, context: CommandContext): Promise<void> {
      const account = await lookups.account(request.accountId);
      if (!account) throw new AppError('resource.unknown', 'Account not found');
      if (await lookups.number(request.phoneNumberId)) {
        throw new AppError('number.linked', 'The number is linked already');
      }
      const messagesPerSecond = request.messagesPerSecond ?? DEFAULT_MESSAGES_PER_SECOND;
      const given: PhoneProfile = {
        displayPhoneNumber: request.displayPhoneNumber ?? '',
        verifiedName: request.verifiedName ?? '',
        qualityRating: null,
        registered: null,
        blockers: [],
      };
      const profile = (await readProfile(request, messagesPerSecond)) ?? given;
      const { phoneNumberId, wabaId, accountId, accessToken } = request;
      const sealed =
        accessToken === undefined ? null : secrets.seal(accessToken, tokenContext(phoneNumberId));
      const terms: PhoneTerms = {
        phoneNumberId,
        wabaId,
        accountId,
        accessToken: sealed,
        profile,
        messagesPerSecond,
      };
      const on = { ...context, accountId };
      await writer.execute(phoneDecider, phoneNumberId, { type: 'Link', terms }, on);
    },

    async setToken(
      phoneNumberId: string,
      accessToken: string | null,
      context: CommandContext,
    ): Promise<void> {
      const number = await mustFind(phoneNumberId);
      const sealed =
        accessToken === null ? null : secrets.seal(accessToken, tokenContext(phoneNumberId));
      const command = { type: 'SetToken' as const, phoneNumberId, accessToken: sealed };
      await writer.execute(phoneDecider, phoneNumberId, command, onAccount(number, context));
    },

    /** Registers the number for the provider's hosted interface, then reads it again. */
    async register(phoneNumberId: string, pin: string, context: CommandContext): Promise<void> {
      const number = await mustFind(phoneNumberId);
      await orFailed(() => provider.registerNumber(senderOf(number, secrets), pin));
      await refreshOne(number, context).catch(async (error) => {
        if (!(error instanceof ProviderUnreachable) && !(error instanceof ProviderRefused)) {
          throw error;
        }
        const profile = { registered: true, blockers: [] };
        const command = { type: 'NoteProfile' as const, phoneNumberId, profile };
        await writer.execute(phoneDecider, phoneNumberId, command, onAccount(number, context));
      });
    },

    /** Reads the number as the provider shows it now. */
    async refresh(phoneNumberId: string, context: CommandContext): Promise<void> {
      const number = await mustFind(phoneNumberId);
      await orFailed(() => refreshOne(number, context));
    },

    async unlink(phoneNumberId: string, context: CommandContext): Promise<void> {
      const number = await mustFind(phoneNumberId);
      const command = { type: 'Unlink' as const, phoneNumberId };
      await writer.execute(phoneDecider, phoneNumberId, command, onAccount(number, context));
    },
  };
};

export type Numbers = ReturnType<typeof createNumbers>;

/** The provider's no, or its silence, as an answer of ours: a 502 with its words. */
const orFailed = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderRefused) {
      const { code, message } = error.refusal;
      throw new AppError('provider.failed', `The provider refused: ${message}`, {
        providerCode: code,
        providerMessage: message,
        cause: error,
      });
    }
    if (error instanceof ProviderUnreachable) {
      throw new AppError('provider.failed', 'The provider could not be reached', { cause: error });
    }
    throw error;
  }
};
