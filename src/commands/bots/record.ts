import { contactIdOf } from '../../events/contact.ts';
import {
  BotActionStarted,
  BotRunAnswered,
  BotRunEnded,
  type BotRunEndReason,
  type BotRunFact,
  BotRunStarted,
  BotRunWaiting,
  type BotStep,
  BotsSilenced,
  packSteps,
} from '../../events/conversation.ts';
import { isoTime } from '../../shared/clock.ts';
import type { Inbound } from './inbound.ts';
import type { Input } from './interpreter.ts';
import type { Next, Run, Turn } from './run.ts';

/** The owner of a run. */
export interface RunOwner {
  accountId: string;
  phoneNumberId: string;
  /** Revision of the bot's stream whose graph the run follows. */
  botRevision: number;
  /** The link of the number under which the run began; null in logs from before links had numbers. */
  link: number | null;
  /** The contact, as the start of the run names it. */
  contactRef: string;
}

const idsOf = ({ runId, botId }: Run) => ({ runId, botId });

/** The start of a run. The facts of its first turn follow in the same append. */
export const startFact = (run: Run, inbound: Inbound, owner: RunOwner, now: number): BotRunFact =>
  BotRunStarted.of({
    ...idsOf(run),
    ...owner,
    waId: contactIdOf(run.contact),
    userId: run.contact.userId,
    contactName: run.contact.name,
    messageId: inbound.messageId,
    messageRevision: inbound.revision,
    text: run.text,
    takenAt: isoTime(now),
  });

/** The end of a run for a reason outside of it, such as the deletion of its bot. */
export const endFact = (
  run: Run,
  reason: BotRunEndReason,
  { accountId, contactRef }: Pick<RunOwner, 'accountId' | 'contactRef'>,
): BotRunFact =>
  BotRunEnded.of({
    ...idsOf(run),
    accountId,
    contactRef,
    nodeId: run.nodeId,
    reason,
    detail: null,
    ...packSteps([]),
  });

/** A turn's place and time. */
interface At {
  accountId: string;
  phoneNumberId: string;
  contactRef: string;
  now: number;
}

const nextFacts = (
  run: Run,
  next: Next,
  stepsLeft: readonly BotStep[],
  { accountId, phoneNumberId, contactRef, now }: At,
): BotRunFact[] => {
  const ids = { ...idsOf(run), contactRef, ...packSteps(stepsLeft) };
  const { nodeId } = next;
  switch (next.kind) {
    case 'send':
    case 'request': {
      const attempts = next.kind === 'send' ? next.attempts : 0;
      const startedAt = isoTime(now);
      return [
        BotActionStarted.of({ ...ids, nodeId: next.nodeId, kind: next.kind, attempts, startedAt }),
      ];
    }
    case 'wait': {
      const { attempts, messageId } = next;
      const until = isoTime(next.until);
      const waiting = { ...ids, nodeId: next.nodeId, kind: next.for, until, attempts, messageId };
      return [BotRunWaiting.of(waiting)];
    }
    case 'end': {
      const { reason, detail, silentUntil } = next;
      const end = BotRunEnded.of({ ...ids, accountId, nodeId, reason, detail });
      if (silentUntil === null) return [end];
      const of = { accountId, phoneNumberId, contactRef, ...idsOf(run) };
      return [end, BotsSilenced.of({ ...of, until: isoTime(silentUntil) })];
    }
  }
};

/** The facts of a turn, in order. One append records them before the effect of `next`. */
export const turnFacts = (input: Input, { run, steps, next }: Turn, at: At): BotRunFact[] => {
  const answered =
    input.type === 'reply'
      ? [
          BotRunAnswered.of({
            ...idsOf(run),
            contactRef: at.contactRef,
            messageId: input.inbound.messageId,
            messageRevision: input.inbound.revision,
            text: input.inbound.text,
            takenAt: isoTime(at.now),
            waId: run.contact.waId,
            userId: run.contact.userId,
          }),
        ]
      : [];
  return [...answered, ...nextFacts(run, next, steps, at)];
};
