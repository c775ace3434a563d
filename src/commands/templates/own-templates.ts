import type { TemplateStatus } from '../../events/template.ts';
import {
  type Provider,
  ProviderRefused,
  ProviderUnreachable,
  type SubmitOutcome,
  type TemplateDraft,
} from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { NumberRecord } from '../core/lookups.ts';
import { senderOf } from '../sending/senders.ts';
import { templateDecider, templateIdOf } from './template.ts';
import { isCatalogName } from './template-owner.ts';

/** Keeps what the provider took. False when the template is another account's, and nothing is kept. */
export const noteSubmission = async (
  writer: Writer,
  { name, language, components }: TemplateDraft,
  taken: {
    wabaId: string;
    outcome: Extract<SubmitOutcome, { kind: 'submitted' }>;
    /** Whose own it is; null for the catalog's. */
    accountId: string | null;
  },
  context: CommandContext,
): Promise<boolean> => {
  const { wabaId, accountId } = taken;
  const identity = { wabaId, name, language };
  const { metaTemplateId, category, status } = taken.outcome;
  const row = { metaTemplateId, category, status, components, accountId };
  const command = { type: 'NoteSubmission' as const, identity, ...row };
  const id = templateIdOf(identity);
  return (await writer.execute(templateDecider, id, command, context)).facts.length > 0;
};

const submissionFailed = (reason: string, cause?: unknown) =>
  new AppError('template.refused', `Template submission failed: ${reason}`, { cause });

/** Templates that callers wrote themselves. */
export const createOwnTemplates = ({
  writer,
  provider,
  secrets,
}: {
  writer: Writer;
  provider: Provider;
  secrets: Secrets;
}) => {
  /**
   * Submits a template that the caller wrote (contract 4.17). A refusal is final. The account claims the
   * name before the call, so that whoever else sees the new template first sees that it is not theirs;
   * an outcome that is not known leaves the claim.
   */
  return async (
    number: NumberRecord,
    draft: TemplateDraft,
    context: CommandContext,
  ): Promise<{ id: string; category: string; status: TemplateStatus }> => {
    const sender = senderOf(number, secrets);
    const { wabaId, accountId } = number;
    const { name, language } = draft;
    // The catalog's templates are everybody's at this business account.
    const owner = isCatalogName(name) ? null : accountId;
    const ownership = async (type: 'Claim' | 'Release') => {
      if (owner === null) return;
      const identity = { wabaId, name, language };
      const command = { type, identity, accountId: owner };
      await writer.execute(templateDecider, templateIdOf(identity), command, context);
    };
    await ownership('Claim');
    const outcome = await provider.submitTemplate(sender, draft).catch((error: unknown) => {
      const known = error instanceof ProviderUnreachable || error instanceof ProviderRefused;
      if (!known) throw error;
      throw submissionFailed(error.message, error);
    });
    if (outcome.kind === 'submitted') {
      if (await noteSubmission(writer, draft, { wabaId, outcome, accountId: owner }, context)) {
        const { metaTemplateId: id, category, status } = outcome;
        return { id, category, status };
      }
    }
    const isOpen = outcome.kind === 'exists' && outcome.perhapsByThisCall === true;
    if (!isOpen) await ownership('Release');
    switch (outcome.kind) {
      case 'submitted':
      case 'exists':
        throw submissionFailed('a template of this name and language exists already');
      case 'refused':
      case 'forbidden':
        throw submissionFailed(outcome.refusal.message);
    }
  };
};
