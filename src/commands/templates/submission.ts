import type { Provider } from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import { type CatalogEntry, catalog, findEvent, templateComponents } from '../sending/catalog.ts';
import { missingNumberMessage, senderOf } from '../sending/senders.ts';
import type { Mirror } from './mirror.ts';
import { createOwnTemplates, noteSubmission } from './own-templates.ts';
import { isVisibleTo } from './template-owner.ts';

/** A catalog submission (contract 4.6). */
export interface SubmissionRequest {
  accountId: string;
  phoneNumberId?: string | undefined;
  events?: readonly string[] | undefined;
  onlyMissing: boolean;
}

export interface SubmissionResult {
  event: string;
  templateName: string;
  category: string;
  state: 'submitted' | 'already_exists' | 'failed';
  status?: string;
  metaTemplateId?: string;
  error?: string;
}

export interface Submission {
  phoneNumberId: string;
  results: readonly SubmissionResult[];
}

const NAME_TAKEN =
  'The business account has a template of this name and language already, which is not the catalog’s and belongs to another account';

export const createSubmissions = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'numbers' | 'templates'>;
  provider: Provider;
  mirror: Mirror;
  secrets: Secrets;
  clock: Clock;
}) => {
  const { writer, lookups, provider, mirror, secrets } = deps;

  /** The provider refuses a name twice: one that it has is edited when rejected, else adopted. */
  const resubmit = async (entry: CatalogEntry, number: NumberRecord, context: CommandContext) => {
    const sender = senderOf(number, secrets);
    const shared = { owner: null, outcome: { kind: 'exists' as const } };
    const seen = await provider.listTemplates(sender, entry.templateName);
    const existing = seen.find((one) => one.language === entry.language);
    if (!existing) return shared;
    const noted = await mirror.note(sender.wabaId, existing, context);
    // Not even an edit: what another account wrote stays as it is, and never serves this one.
    if (!isVisibleTo(number.accountId, noted)) return 'taken';
    if (existing.status !== 'REJECTED') return shared;
    const { metaTemplateId } = existing;
    const outcome = await provider.editTemplate(sender, metaTemplateId, templateComponents(entry));
    return { owner: noted.accountId, outcome };
  };

  const submitOne = async (
    entry: CatalogEntry,
    number: NumberRecord,
    context: CommandContext,
  ): Promise<SubmissionResult> => {
    const { event, templateName, category, language } = entry;
    const base = { event, templateName, category };
    const draft = { name: templateName, language, category, components: templateComponents(entry) };
    const first = await provider.submitTemplate(senderOf(number, secrets), draft);
    const taken = { ...base, state: 'failed' as const, error: NAME_TAKEN };
    const done =
      first.kind === 'exists'
        ? await resubmit(entry, number, context)
        : { owner: null, outcome: first };
    if (done === 'taken') return taken;
    const { owner, outcome } = done;
    switch (outcome.kind) {
      case 'submitted': {
        const made = { wabaId: number.wabaId, outcome, accountId: owner };
        if (!(await noteSubmission(writer, draft, made, context))) return taken;
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

  const isPresent = async (entry: CatalogEntry, number: NumberRecord) => {
    const rows = await lookups.templates(number.wabaId, entry.templateName);
    return rows.some(
      (row) =>
        row.language === entry.language &&
        row.status !== 'REJECTED' &&
        isVisibleTo(number.accountId, row),
    );
  };

  /** One template after the other, as the provider's management limits ask. */
  const submit = async (
    request: SubmissionRequest,
    context: CommandContext,
  ): Promise<Submission> => {
    const entries = chooseEntries(request.events);
    const number = await findNumber(lookups, request);
    // Refuses a number without a token before anything else is looked at.
    senderOf(number, secrets);
    const results: SubmissionResult[] = [];
    for (const entry of entries) {
      if (request.onlyMissing && (await isPresent(entry, number))) continue;
      results.push(await submitOne(entry, number, context));
    }
    return { phoneNumberId: number.phoneNumberId, results };
  };

  return { submit, create: createOwnTemplates(deps) };
};

export type Submissions = ReturnType<typeof createSubmissions>;

/** A named number may lack its token (a 400 then); the default is the oldest that has one. */
const findNumber = async (
  lookups: Pick<Lookups, 'numbers'>,
  { accountId, phoneNumberId }: SubmissionRequest,
): Promise<NumberRecord> => {
  const numbers = await lookups.numbers(accountId);
  const number =
    phoneNumberId === undefined
      ? numbers.find((one) => one.accessToken !== null)
      : numbers.find((one) => one.phoneNumberId === phoneNumberId);
  if (!number) throw new AppError('number.unknown', missingNumberMessage(phoneNumberId));
  return number;
};
