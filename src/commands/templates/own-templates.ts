import type { TemplateStatus } from '../../events/template.ts';
import {
  isProviderError,
  type Provider,
  type Sender,
  type SubmitOutcome,
  type TemplateDraft,
} from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { NumberRecord } from '../core/lookups.ts';
import { senderOf } from '../sending/senders.ts';
import type { Mirror } from './mirror.ts';
import { templateDecider, templateIdOf } from './template.ts';

/** Stores an accepted submission. False, without an event, when the template is not from it. */
export const noteSubmission = async (
  writer: Writer,
  { name, language, components }: TemplateDraft,
  taken: {
    wabaId: string;
    outcome: Extract<SubmitOutcome, { kind: 'submitted' }>;
    /** The owner; null for a template of the catalog. */
    accountId: string | null;
  },
  context: CommandContext,
): Promise<boolean> => {
  const { wabaId, outcome, accountId } = taken;
  const identity = { wabaId, name, language };
  const type = 'NoteSubmission' as const;
  const command = { ...outcome, type, identity, components, accountId };
  const id = templateIdOf(identity);
  return (await writer.execute(templateDecider, id, command, context)).facts.length > 0;
};

const submissionFailed = (reason: string, cause?: unknown) =>
  new AppError('template.refused', `Template submission failed: ${reason}`, { cause });

const existsAlready = () => submissionFailed('a template of this name and language exists already');

/** Templates that callers wrote themselves. */
export const createOwnTemplates = ({
  writer,
  provider,
  mirror,
  secrets,
  clock,
}: {
  writer: Writer;
  provider: Provider;
  mirror: Pick<Mirror, 'note'>;
  secrets: Secrets;
  clock: Clock;
}) => {
  /** Whether the provider has no such template; false if it cannot be read. */
  const isAbsent = async (sender: Sender, draft: TemplateDraft, context: CommandContext) => {
    const listed = await provider.listTemplates(sender, draft.name).catch((error: unknown) => {
      if (!isProviderError(error)) throw error;
      return null;
    });
    const existing = listed?.find(({ language }) => language === draft.language);
    if (!existing) return listed !== null;
    await mirror.note(sender.wabaId, existing, context);
    throw existsAlready();
  };

  /**
   * Submits a template that the caller wrote (contract 4.17). A refusal is final. The account claims
   * the name before the call, so that a concurrent read does not take the new template for shared.
   * The provider's answer makes the account its owner; an unknown outcome leaves the claim.
   */
  return async (
    number: NumberRecord,
    draft: TemplateDraft,
    context: CommandContext,
  ): Promise<{ id: string; category: string; status: TemplateStatus }> => {
    const sender = senderOf(number, secrets);
    const { wabaId, accountId } = number;
    const { name, language } = draft;
    const identity = { wabaId, name, language };
    const id = templateIdOf(identity);
    const wasAbsent = await isAbsent(sender, draft, context);
    const claim = { type: 'Claim' as const, identity, accountId, wasAbsent, now: clock.now() };
    const claimed = await writer.execute(templateDecider, id, claim, context);
    if (claimed.facts.length === 0) throw existsAlready();
    const outcome = await provider.submitTemplate(sender, draft).catch((error: unknown) => {
      if (!isProviderError(error)) throw error;
      throw submissionFailed(error.message, error);
    });
    if (outcome.kind === 'submitted') {
      const { metaTemplateId, category, status } = outcome;
      const taken = { wabaId, outcome, accountId };
      if (await noteSubmission(writer, draft, taken, context)) {
        return { id: metaTemplateId, category, status };
      }
    }
    const isOpen = outcome.kind === 'exists' && outcome.perhapsByThisCall === true;
    if (!isOpen) {
      const release = { type: 'Release' as const, identity, accountId };
      await writer.execute(templateDecider, id, release, context);
    }
    throw 'refusal' in outcome ? submissionFailed(outcome.refusal.message) : existsAlready();
  };
};
