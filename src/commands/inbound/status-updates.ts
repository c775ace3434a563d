import { locateCharge } from '../../events/charge-form.ts';
import { readCharge } from '../../events/completed.ts';
import { idsOf } from '../../events/contact.ts';
import { isOfNumber } from '../../events/message.ts';
import type { DataSubject } from '../../events/personal.ts';
import type { EventReader } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import type { Contact, Contacts } from '../contacts/contacts.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { NumberHolders } from '../numbers/number-links.ts';
import { type MessageState, messageDecider } from '../sending/message.ts';
import {
  HiddenRecipient,
  NeedsSubject,
  type RecordStatus,
  type SentRecord,
  type StatusUpdate,
  Unrecorded,
} from '../sending/message-statuses.ts';
import { type Recovery, shownSubject } from '../sending/recovery.ts';

interface Deps {
  writer: Writer;
  recovery: Pick<Recovery, 'find' | 'settle'>;
  contacts: Pick<Contacts, 'see'>;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  links: NumberHolders;
  store: Pick<EventReader, 'read'>;
  /** Called once for a message that the provider bills in another category than the charge. */
  onOtherCategory: (charged: string, billed: string) => void;
}

/** Appends statuses, and joins the ids of the recipients that they show. */
const createRecording = ({
  writer,
  contacts,
  subjects,
  store,
}: Pick<Deps, 'writer' | 'contacts' | 'subjects' | 'store'>) => {
  /** The id that a message was recorded under, which its charge has where the record does not. */
  const recordedId = async (sent: SentRecord): Promise<string | null> =>
    sent.recipient?.waId ?? (await readCharge(store, sent))?.data.said?.to ?? null;

  /** Joins the ids of the recipient, in the account of the message, and resolves to its contact. */
  const recipientOf = async (
    sent: SentRecord,
    update: StatusUpdate,
    context: CommandContext,
  ): Promise<Contact | null> => {
    const { accountId, recipient } = sent;
    const shown = update.recipientUserId ?? recipient?.userId ?? null;
    if (shown === null) return null;
    // Who was erased is not met again by a status of an old message.
    if (!(await subjectOf(subjects, accountId, sent.contactRef))) return null;
    const waId = update.recipientWaId ?? idsOf(await recordedId(sent), null).waId;
    return contacts.see({ accountId, waId, userId: shown }, context);
  };

  /** Records the status of a message, once its contact and that one's data key are known where needed. */
  return async (command: RecordStatus, context: CommandContext) => {
    const { update } = command;
    const run = (more: Partial<RecordStatus>, found: readonly DataSubject[] = []) => {
      const on = { ...context, subjects: [...(context.subjects ?? []), ...found] };
      const id = inAccount(update.accountId, update.messageRef);
      return writer.execute(messageDecider, id, { ...command, ...more }, on);
    };
    const runSealed = async (more: Partial<RecordStatus>) => {
      try {
        return await run(more);
      } catch (error) {
        if (!(error instanceof NeedsSubject)) throw error;
        const subject = await subjectOf(subjects, error.accountId, error.contactRef);
        if (!subject) return run({ ...more, sealedFor: null });
        // In old logs the contact had no pseudonym yet.
        return run({ ...more, contactRef: subject.ref, sealedFor: subject.ref }, [subject]);
      }
    };
    try {
      const done = await runSealed({});
      const { sent } = done.state;
      if (sent && isOfNumber(sent, update)) await recipientOf(sent, update, context);
      return done;
    } catch (error) {
      if (!(error instanceof HiddenRecipient)) throw error;
      const contact = await recipientOf(error.sent, update, context);
      return runSealed({ contactRef: contact?.ref ?? error.sent.contactRef });
    }
  };
};

/**
 * Records the provider's delivery statuses. A status whose message has no record recovers the record
 * from the charge that the status carries. While the send may still be running, the status waits for
 * its record instead. What a `failed` gives back, `account/delivery-refunds.ts` does afterwards.
 */
export const createStatusUpdates = (deps: Deps) => {
  const { writer, recovery, subjects, links } = deps;

  const compareCategory = ({ status }: StatusUpdate, { sent, billed }: MessageState): void => {
    if (!sent || billed?.status !== status || sent.category === billed.category) return;
    deps.onOtherCategory(sent.category, billed.category);
  };

  const execute = createRecording(deps);

  /** The accounts that may have sent the message: the number may have moved since. */
  async function* sendersOf({ accountId, chargeId, phoneNumberId }: StatusUpdate) {
    const charge = chargeId === null ? undefined : locateCharge(chargeId);
    if (charge && charge.accountId !== accountId) yield charge.accountId;
    yield accountId;
    if (charge) return;
    for (const holder of await links.holdersOf(phoneNumberId)) {
      if (holder !== accountId) yield holder;
    }
  }

  return {
    /** Throws Rejected where the status or its charge belongs to another message. */
    async record(update: StatusUpdate, context: CommandContext): Promise<void> {
      let own = update;
      const record = async (rest: Partial<RecordStatus>, on = context) => {
        const done = await execute({ type: 'RecordStatus', update: own, ...rest }, on);
        if (done.facts.length > 0) compareCategory(update, done.state);
      };
      for await (const accountId of sendersOf(update)) {
        own = { ...update, accountId };
        try {
          return await record({ needsRecord: true });
        } catch (error) {
          if (!(error instanceof Unrecorded)) throw error;
        }
      }
      own = update;
      const found = await recovery.find(update, context);
      if (found.kind === 'none') {
        const subject = await shownSubject(subjects, update.accountId, update);
        return record({ sealedFor: subject.ref }, { ...context, subjects: [subject] });
      }
      const { chargeClaim, subject } = found;
      const { accountId } = chargeClaim;
      own = { ...update, accountId };
      const on = { ...context, accountId };
      const sealing = subject ? [subject] : [];
      await record({ chargeClaim, sealedFor: subject?.ref ?? null }, { ...on, subjects: sealing });
      if (found.kind !== 'free') return;
      await recovery.settle(chargeClaim, context);
      const id = inAccount(accountId, update.messageRef);
      compareCategory(update, (await writer.load(messageDecider, id)).state);
    },
  };
};

export type StatusUpdates = ReturnType<typeof createStatusUpdates>;
