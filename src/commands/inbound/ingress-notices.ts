import { hash } from 'node:crypto';
import type { PhoneProfile } from '../../events/phone.ts';
import { rawOf, type WebhookItem } from '../../provider/webhook/item.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { type PhoneNotice, phoneDecider } from '../numbers/phone.ts';
import { digitsOf } from '../sending/recipient.ts';
import { type TemplateNotice, templateDecider, templateIdOf } from '../templates/template.ts';
import { Rejected } from './rejected.ts';

type Of<K extends WebhookItem['kind']> = Extract<WebhookItem, { kind: K }>;

/** Notices of templates, numbers and business accounts. */
type NoticeItem = Of<
  | 'template_status'
  | 'template_category'
  | 'template_quality'
  | 'phone_quality'
  | 'phone_name'
  | 'account_update'
  | 'account_capability'
>;

const noticeIdOf = (item: WebhookItem): string =>
  `notice_${hash('sha256', rawOf(item)).slice(0, 32)}`;

type TemplateItem = Of<'template_status' | 'template_category' | 'template_quality'>;

const wordOf = (item: TemplateItem): Pick<TemplateNotice, 'about' | 'word'> => {
  switch (item.kind) {
    case 'template_status':
      return { about: 'status', word: item.event };
    case 'template_category':
      return { about: 'category', word: item.changingTo?.category ?? item.category ?? '' };
    case 'template_quality':
      return { about: 'quality', word: item.quality };
  }
};

/** What a notice changes in the mirror; a rating changes nothing there. */
const changeOf = (item: TemplateItem, now: number) => {
  if (item.kind === 'template_quality') return null;
  const { metaTemplateId } = item;
  if (item.kind === 'template_category') {
    const { category, changingTo } = item;
    return { type: 'NoteCategory' as const, metaTemplateId, category, changingTo };
  }
  const { state, category } = item;
  if (state === null) return { type: 'NoteRemoval' as const, metaTemplateId };
  return { type: 'NoteStatus' as const, metaTemplateId, ...state, category, now };
};

/** The numbers of a business account. Throws Rejected where it has none. */
const numbersOf = async (lookups: Pick<Lookups, 'numbersOfWaba'>, wabaId: string) => {
  const numbers = await lookups.numbersOfWaba(wabaId);
  if (numbers.length > 0) return numbers;
  throw new Rejected('not_linked', 'no number of the business account is linked');
};

/** Ingests notices of templates, numbers and business accounts. Throws Rejected for those of others. */
export const createNotices = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'numbersOfWaba'>;
  clock: Clock;
}) => {
  const { writer, lookups, clock } = deps;

  const ingestTemplate = async (item: TemplateItem, context: CommandContext) => {
    await numbersOf(lookups, item.wabaId);
    const { wabaId, name, language } = item;
    const identity = { wabaId, name, language };
    const notice = { noticeId: noticeIdOf(item), noticedAt: item.at, ...wordOf(item) };
    const change = changeOf(item, clock.now());
    const command = { type: 'Notice' as const, identity, notice, change };
    await writer.execute(templateDecider, templateIdOf(identity), command, context);
  };

  /** Records the notice in the number's stream; a reactor then reads the number again. */
  const note = async (
    { phoneNumberId, accountId }: { phoneNumberId: string; accountId: string },
    item: Of<'phone_quality' | 'phone_name' | 'account_update' | 'account_capability'>,
    said: Pick<PhoneNotice, 'about' | 'word'>,
    context: CommandContext,
    profile: Partial<Pick<PhoneProfile, 'verifiedName' | 'messagingLimit'>> = {},
  ): Promise<void> => {
    const notice = { phoneNumberId, noticeId: noticeIdOf(item), ...said, noticedAt: item.at };
    const command = { type: 'Notice' as const, phoneNumberId, notice, profile };
    await writer.execute(phoneDecider, phoneNumberId, command, { ...context, accountId });
  };

  const ingestNumber = async (
    item: Of<'phone_quality' | 'phone_name'>,
    context: CommandContext,
  ): Promise<void> => {
    const numbers = await numbersOf(lookups, item.wabaId);
    const digits = digitsOf(item.displayPhoneNumber);
    const number = numbers.find((one) => digitsOf(one.displayPhoneNumber) === digits);
    if (!number) throw new Rejected('not_linked', 'the number is not linked');
    if (item.kind === 'phone_quality') {
      return note(number, item, { about: 'quality', word: item.event }, context);
    }
    const { decision, verifiedName } = item;
    const profile = decision === 'APPROVED' && verifiedName ? { verifiedName } : {};
    return note(number, item, { about: 'name', word: decision }, context, profile);
  };

  return async (item: NoticeItem, context: CommandContext): Promise<void> => {
    switch (item.kind) {
      case 'template_status':
      case 'template_category':
      case 'template_quality':
        return ingestTemplate(item, context);
      case 'phone_quality':
      case 'phone_name':
        return ingestNumber(item, context);
      case 'account_update':
        for (const number of await numbersOf(lookups, item.wabaId)) {
          await note(number, item, { about: 'account', word: item.event }, context);
        }
        return;
      case 'account_capability':
        for (const number of await numbersOf(lookups, item.wabaId)) {
          const { messagingLimit } = item;
          const said = { about: 'account', word: messagingLimit } as const;
          await note(number, item, said, context, { messagingLimit });
        }
    }
  };
};
