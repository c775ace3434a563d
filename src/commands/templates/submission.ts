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
  lookups: Pick<Lookups, 'numbers' | 'templates'>;
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
  return rows.some(
    (row) =>
      row.language === entry.language &&
      row.status !== 'REJECTED' &&
      isVisibleTo(number.accountId, row),
  );
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

export const createSubmissions = (deps: Deps) => ({
  create: createOwnTemplates(deps),

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
