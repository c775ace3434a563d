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
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import { providerFailed } from '../numbers/numbers.ts';
import { type CatalogEntry, catalog, findEvent, templateComponents } from '../sending/catalog.ts';
import { bestRow, missingNumberMessage, senderOf } from '../sending/outgoing.ts';
import type { Mirror } from './mirror.ts';
import { templateDecider, templateIdOf } from './template.ts';
import { isVisibleTo } from './template-owner.ts';

/** Stores an accepted submission. False, without an event, when the template is not from it. */
const noteSubmission = async (
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
const createOwnTemplates = ({
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
    throw 'refusal' in outcome
      ? submissionFailed(outcome.refusal.message, outcome.refusal)
      : existsAlready();
  };
};

/** A catalog submission (contract 4.6). */
export interface SubmissionRequest {
  accountId: string;
  phoneNumberId?: string | undefined;
  events?: readonly string[] | undefined;
  onlyMissing: boolean;
}

interface SubmissionResult {
  event: string;
  templateName: string;
  category: string;
  state: 'submitted' | 'already_exists' | 'failed';
  status?: string;
  metaTemplateId?: string;
  error?: string;
}

interface Submission {
  phoneNumberId: string;
  results: readonly SubmissionResult[];
}

const NAME_TAKEN =
  'The business account has a template of this name and language already, which is not the catalog’s and belongs to another account';

interface Deps {
  writer: Writer;
  lookups: Pick<Lookups, 'numbers' | 'templates' | 'allTemplates'>;
  provider: Provider;
  mirror: Mirror;
  secrets: Secrets;
  clock: Clock;
}

/** A submission of one catalog entry for one number. */
interface Task {
  entry: CatalogEntry;
  number: NumberRecord;
  context: CommandContext;
}

/** The provider refuses a name twice: an existing template is edited if rejected, else adopted. */
const resubmit = async (deps: Deps, { entry, number, context }: Task) => {
  const { provider, mirror, secrets } = deps;
  const sender = senderOf(number, secrets);
  const shared = { owner: null, outcome: { kind: 'exists' as const } };
  const seen = await provider.listTemplates(sender, entry.templateName);
  const existing = seen.find((one) => one.language === entry.language);
  if (!existing) return shared;
  const noted = await mirror.note(sender.wabaId, existing, context);
  // The template of another account is not edited, and does not serve this account.
  if (!isVisibleTo(number.accountId, noted)) return 'taken';
  if (existing.status !== 'REJECTED') return shared;
  const { metaTemplateId } = existing;
  const outcome = await provider.editTemplate(sender, metaTemplateId, templateComponents(entry));
  return { owner: noted.accountId, outcome };
};

const submitOne = async (deps: Deps, task: Task): Promise<SubmissionResult> => {
  const { entry, number, context } = task;
  const { event, templateName, category, language } = entry;
  const base = { event, templateName, category };
  const draft = { name: templateName, language, category, components: templateComponents(entry) };
  const first = await deps.provider.submitTemplate(senderOf(number, deps.secrets), draft);
  const taken = { ...base, state: 'failed' as const, error: NAME_TAKEN };
  const done =
    first.kind === 'exists' ? await resubmit(deps, task) : { owner: null, outcome: first };
  if (done === 'taken') return taken;
  const { owner, outcome } = done;
  switch (outcome.kind) {
    case 'submitted': {
      const made = { wabaId: number.wabaId, outcome, accountId: owner };
      if (!(await noteSubmission(deps.writer, draft, made, context))) return taken;
      const { status, metaTemplateId } = outcome;
      return { ...base, state: 'submitted', status, metaTemplateId };
    }
    case 'exists':
      return { ...base, state: 'already_exists' };
    case 'refused':
      return { ...base, state: 'failed', error: outcome.refusal.message };
    case 'forbidden':
      throw new AppError(
        'template.refused',
        `The provider refused the submission: ${outcome.refusal.message}`,
      );
  }
};

const chooseEntries = (events: readonly string[] | undefined): readonly CatalogEntry[] => {
  if (!events) return catalog;
  const unknown = [...new Set(events.filter((event) => !findEvent(event)))];
  if (unknown.length > 0) {
    const shown = unknown.slice(0, 20).map((event) => event.slice(0, 100));
    throw new AppError('events.unknown', `Unknown events: ${shown.join(', ')}`);
  }
  return catalog.filter(({ event }) => events.includes(event));
};

const isPresent = async ({ lookups }: Deps, entry: CatalogEntry, number: NumberRecord) => {
  const rows = await lookups.templates(number.wabaId, entry.templateName);
  const row = bestRow(rows, entry.language, number.accountId);
  return row !== undefined && row.status !== 'REJECTED';
};

/** The named number, with or without a token; by default the oldest number that has a token. */
const findNumber = async (
  { lookups }: Deps,
  { accountId, phoneNumberId }: SubmissionRequest,
): Promise<NumberRecord> => {
  const numbers = await lookups.numbers(accountId);
  const number = numbers.find((one) =>
    phoneNumberId === undefined ? one.accessToken !== null : one.phoneNumberId === phoneNumberId,
  );
  if (!number) throw new AppError('number.unknown', missingNumberMessage(phoneNumberId));
  return number;
};

/** Removes templates of the account, of one name or with these ids, and of no other account. */
const createRemoval =
  ({ lookups, provider, mirror, secrets }: Deps) =>
  async (
    number: NumberRecord,
    { name, ids }: { name?: string | undefined; ids: readonly string[] },
    context: CommandContext,
  ): Promise<void> => {
    const { wabaId, accountId } = number;
    const rows =
      name === undefined
        ? (await lookups.allTemplates(wabaId)).filter((row) => ids.includes(row.metaTemplateId))
        : (await lookups.templates(wabaId, name, { fresh: true })).filter(
            (row) => ids.length === 0 || ids.includes(row.metaTemplateId),
          );
    const own = rows.filter((row) => row.accountId === accountId);
    if (own.length === 0 || own.length < Math.max(rows.length, ids.length)) {
      const isShared = rows.some((row) => row.accountId === null);
      throw new AppError(
        'template.unknown',
        isShared
          ? 'The template is shared by the accounts of the business account: it cannot be removed here'
          : 'Template not found',
      );
    }
    const sender = senderOf(number, secrets);
    for (const row of own) {
      const { metaTemplateId } = row;
      await provider
        .removeTemplate(sender, { name: row.name, metaTemplateId })
        .catch(providerFailed);
      await mirror.forget(row, context);
    }
  };

export const createSubmissions = (deps: Deps) => ({
  create: createOwnTemplates(deps),
  remove: createRemoval(deps),

  /** Submits one template after the other, because the provider limits management calls. */
  async submit(request: SubmissionRequest, context: CommandContext): Promise<Submission> {
    const entries = chooseEntries(request.events);
    const number = await findNumber(deps, request);
    // Refuses a number without a token before the first read.
    senderOf(number, deps.secrets);
    const results: SubmissionResult[] = [];
    for (const entry of entries) {
      if (request.onlyMissing && (await isPresent(deps, entry, number))) continue;
      results.push(await submitOne(deps, { entry, number, context }));
    }
    return { phoneNumberId: number.phoneNumberId, results };
  },
});

export type Submissions = ReturnType<typeof createSubmissions>;
