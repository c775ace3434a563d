import type { DirectSendBar } from '../../events/phone.ts';
import type { ProviderRefusal } from '../../provider/provider.ts';
import { barIn, brokenDirectRule, type Direct } from '../../provider/rules/direct-send.ts';
import type { Refusal } from '../../provider/rules/errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError, isRefusal } from '../../shared/errors.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import { isBarred, phoneDecider } from '../numbers/phone.ts';
import type { CatalogEntry } from './catalog.ts';
import type { Draft, SendContext, Transmitter } from './send.ts';

// Messages without a template (Direct Send), which the provider admits business accounts to one by one.

/** The refusal of the provider that holds for a number's business account now. */
export const barOf = (
  { directSendBar }: Pick<NumberRecord, 'directSendBar'>,
  now: number,
): DirectSendBar | null => (directSendBar && isBarred(directSendBar, now) ? directSendBar : null);

const reasons: Readonly<Record<DirectSendBar['state'], string>> = {
  not_onboarded: 'has not admitted the business account of the number to Direct Send',
  restricted: 'restricts Direct Send for the business account of the number',
};

/** Why no event goes out without a template, as a hint. */
export const barHint = (state: DirectSendBar['state']): string =>
  `The provider ${reasons[state]}, so no message goes out without an approved template; the service tries it again a day after the refusal.`;

/** Whether an event may go out without a template at all: its text is there in its language only. */
export const isDirectEvent = ({ category, language }: CatalogEntry, asked: string): boolean =>
  category !== 'MARKETING' && asked === language;

/** An event without a template. Throws for a text that the provider does not take. */
export const directOf = ({ category, templateName }: CatalogEntry, text: string): Direct => {
  const direct: Direct =
    category === 'AUTHENTICATION'
      ? { category: 'authentication' }
      : { category: 'utility', templateName };
  const broken = brokenDirectRule(direct, { type: 'text', body: text, previewUrl: false });
  if (broken === undefined) return direct;
  throw new AppError(
    'message.not_allowed',
    `\`variables\` make a text that does not go out without an approved template: ${broken}`,
  );
};

/** What the error of such a send says of the business account; undefined where it says nothing. */
export const barredBy = (error: unknown): DirectSendBar['state'] | undefined =>
  isRefusal(error, 'provider.refused') ? barIn(error.details.cause as ProviderRefusal) : undefined;

const RESTRICTED = 139200;
const INVALID_PARAMETER = 100;

/** The provider's refusal of a `category`, before it is asked. */
const mayNot = (state: DirectSendBar['state'] | 'off'): AppError => {
  const details =
    state === 'off'
      ? 'The parameter category is not available: the account sends no messages without a template'
      : `The parameter category is not available: the provider ${reasons[state]}`;
  const code = state === 'restricted' ? RESTRICTED : INVALID_PARAMETER;
  const cause: Refusal = { code, details };
  return new AppError('message.not_allowed', details, { cause });
};

/** Whether an account sends events without a template. */
export const sendsDirect = async (
  lookups: Pick<Lookups, 'account'>,
  accountId: string,
): Promise<boolean> => (await lookups.account(accountId))?.directSend === 'fallback';

interface Deps {
  lookups: Pick<Lookups, 'account' | 'numbersOfWaba'>;
  writer: Pick<Writer, 'execute'>;
  transmitter: Transmitter;
  clock: Clock;
}

export const createDirectSends = ({ lookups, writer, transmitter, clock }: Deps) => {
  /** Remembers a refusal for the business account, at all of its numbers. */
  const remember = async (
    { wabaId }: NumberRecord,
    state: DirectSendBar['state'],
    { requestId }: SendContext,
  ) => {
    for (const { phoneNumberId, accountId } of await lookups.numbersOfWaba(wabaId)) {
      const command = { type: 'BarDirectSend' as const, phoneNumberId, state, now: clock.now() };
      const on = { requestId, accountId, countsAsFree: false };
      await writer.execute(phoneDecider, phoneNumberId, command, on);
    }
  };

  return {
    /** Throws the provider's refusal where the account may send nothing without a template. */
    async mustBeAllowed(number: NumberRecord): Promise<void> {
      if (!(await sendsDirect(lookups, number.accountId))) throw mayNot('off');
      const bar = barOf(number, clock.now());
      if (bar) throw mayNot(bar.state);
    },

    /** Transmits a message without a template, and remembers what a refusal says of the business account. */
    async transmit(draft: Draft, number: NumberRecord, context: SendContext) {
      try {
        return await transmitter.transmit(draft, context);
      } catch (error) {
        const state = barredBy(error);
        if (state) await remember(number, state, context);
        throw error;
      }
    },
  };
};

export type DirectSends = ReturnType<typeof createDirectSends>;
