import type { Category, TemplateCategory } from '../../events/category.ts';
import type { Content } from '../../events/content.ts';
import type { Sender } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Lookups, NumberRecord, TemplateRow } from '../core/lookups.ts';
import { categoryOfTemplate, takesCode } from '../pricing/template-category.ts';
import type { Mirror } from '../templates/mirror.ts';
import { isVisibleTo } from '../templates/template-owner.ts';
import { type CatalogEntry, findEventByTemplate } from './catalog.ts';

/** Replaces each value of an authentication message in the log. */
export const MASKED = '••••••';

/** Fields of a template's components that describe a value and hold none. */
const structural: Readonly<Record<string, RegExp>> = {
  type: /^[A-Za-z_]{1,40}$/,
  sub_type: /^[A-Za-z_]{1,40}$/,
  index: /^\d{1,2}$/,
  parameter_name: /^[A-Za-z_][A-Za-z_]{0,39}$/,
};

const mask = (value: unknown, field: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => mask(one, ''));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mask(one, key)]));
  }
  const names = Object.hasOwn(structural, field) ? structural[field] : undefined;
  return value === null || names?.test(String(value)) ? value : MASKED;
};

type Part = { type?: unknown; parameters?: unknown };

const firstTextOf = (part: Part | undefined): unknown => {
  const [first] = Array.isArray(part?.parameters) ? part.parameters : [];
  return (first as { text?: unknown } | undefined)?.text;
};

/** Whether components have the form of an authentication template: the code in the body and again on a button. */
const repeatsCode = (components: readonly unknown[]): boolean => {
  const parts = components.filter((one): one is Part => typeof one === 'object' && one !== null);
  const part = (name: string) => parts.find(({ type }) => String(type).toLowerCase() === name);
  const code = firstTextOf(part('body'));
  return code !== undefined && code === firstTextOf(part('button'));
};

/**
 * Whether the log must not hold the values of a message. The category in force decides. A template of
 * the catalog that carries a code stays secret if the provider calls it something else; one whose
 * category is not known (`category` undefined) is secret if it has the form of an authentication template.
 */
export const isSecret = (content: Content, category: Category | undefined): boolean => {
  // A text of this category goes out without a template.
  if (content.type === 'text') return category === 'AUTHENTICATION';
  if (content.type !== 'template' && content.type !== 'notification') return false;
  if (category === 'AUTHENTICATION') return true;
  if (findEventByTemplate(content.name)?.category === 'AUTHENTICATION') return true;
  return category === undefined && content.type === 'template' && repeatsCode(content.components);
};

/** The content as the log keeps it: the one place where the values of authentication messages are masked. */
export const keptContent = (content: Content, category: Category | undefined): Content => {
  if (!isSecret(content, category)) return content;
  switch (content.type) {
    case 'notification':
      return { ...content, parameters: content.parameters.map(() => MASKED) };
    case 'template':
      return { ...content, components: mask(content.components, '') as unknown[] };
    case 'text':
      return { ...content, body: MASKED };
    default:
      return content;
  }
};

// The template that a notification goes out as.

/** What a send needs to know of its approved template. */
export type ApprovedTemplate = Pick<
  TemplateRow,
  'language' | 'status' | 'category' | 'components' | 'accountId'
>;

/** The languages of templates that serve a requested language, best first (contract 4.7). */
export const languagesFor = (language: string): readonly string[] =>
  language === 'en_US' ? ['en_US', 'en'] : [language];

/**
 * Of the rows that the account may use the one that serves the language best: an approved one, else
 * the best language's. The provider keeps one template for a name and language, so it does not matter
 * whether the row is the catalog's or the account's own.
 */
export const bestRow = <Row extends Pick<TemplateRow, 'language' | 'status' | 'accountId'>>(
  rows: readonly Row[],
  language: string,
  accountId: string,
): Row | undefined => {
  const candidates = languagesFor(language).flatMap((wanted) =>
    rows.filter((row) => row.language === wanted && isVisibleTo(accountId, row)),
  );
  return candidates.find(({ status }) => status === 'APPROVED') ?? candidates[0];
};

/** That row, if it is approved. */
export const approvedRow: typeof bestRow = (rows, language, accountId) => {
  const row = bestRow(rows, language, accountId);
  return row?.status === 'APPROVED' ? row : undefined;
};

/** The approved template of an event, as far as it is known without a call. */
export const knownTemplate = async (
  lookups: Pick<Lookups, 'templates'>,
  number: NumberRecord | undefined,
  entry: CatalogEntry,
  { accountId, languageCode }: { accountId: string; languageCode?: string | null | undefined },
): Promise<ApprovedTemplate | undefined> => {
  const rows = number ? await lookups.templates(number.wabaId, entry.templateName) : [];
  return approvedRow(rows, languageCode ?? entry.language, accountId);
};

/** The languages in which the account may send a template now. */
export const languagesOf = (
  rows: readonly Pick<TemplateRow, 'language' | 'status' | 'accountId'>[],
  accountId: string,
): readonly string[] =>
  rows
    .filter((row) => row.status === 'APPROVED' && isVisibleTo(accountId, row))
    .map((row) => row.language)
    .sort();

/** The provider's category of the template, else the catalog's. */
export const categoryOf = (
  row: ApprovedTemplate | undefined,
  entry: CatalogEntry,
): TemplateCategory => (row ? categoryOfTemplate(row) : entry.category);

/** The content of a notification that goes out as a template, but for its parameters. */
export const templateContent = (
  entry: CatalogEntry,
  row: ApprovedTemplate | undefined,
  language: string,
): Omit<Extract<Content, { type: 'notification' }>, 'parameters'> => ({
  type: 'notification',
  name: entry.templateName,
  language: row?.language ?? language,
  authentication: row ? takesCode(row) : entry.category === 'AUTHENTICATION',
});

/** The number with its token decrypted, for the provider's client. */
export const senderOf = (number: NumberRecord, secrets: Secrets): Sender => {
  if (!number.accessToken) {
    throw new AppError('number.no_token', 'Phone number has no access token configured');
  }
  return {
    phoneNumberId: number.phoneNumberId,
    wabaId: number.wabaId,
    accessToken: openToken(number, secrets),
    messagesPerSecond: number.messagesPerSecond,
    messagingAccountId: number.messagingAccountId,
  };
};

const opened = new WeakMap<object, string>();

const openToken = (number: NumberRecord, secrets: Secrets): string => {
  const sealed = number.accessToken!;
  const known = opened.get(sealed);
  if (known !== undefined) return known;
  const token = secrets.open(sealed, tokenContext(number.phoneNumberId));
  opened.set(sealed, token);
  return token;
};

/** A sealed token opens for its own number only. */
export const tokenContext = (phoneNumberId: string) => `phone-${phoneNumberId}`;

/**
 * The number to send from: the named one if it is the account's and configured, else the
 * account's oldest configured number. Undefined when there is none.
 */
export const findConfiguredNumber = async (
  lookups: Pick<Lookups, 'numbers'>,
  accountId: string,
  phoneNumberId: string | undefined,
): Promise<NumberRecord | undefined> => {
  const numbers = await lookups.numbers(accountId);
  return numbers.find(
    (number) =>
      number.accessToken !== null &&
      (phoneNumberId === undefined || number.phoneNumberId === phoneNumberId),
  );
};

/** The error message when the account has no such number. */
export const missingNumberMessage = (phoneNumberId: string | undefined): string =>
  phoneNumberId === undefined
    ? 'No configured messaging number exists on this account. Link one in the dashboard.'
    : 'Phone number not found or not configured';

export type FoundTemplate = Omit<TemplateRow, 'wabaId'>;

interface Deps {
  lookups: Pick<Lookups, 'templates' | 'windowExpiresAt'>;
  contacts: Pick<Contacts, 'find'>;
  mirror: Pick<Mirror, 'readName'>;
  secrets: Secrets;
}

/** The template that `choose` takes: from the local mirror, else from one live read. */
export const findTemplate = async <Row>(
  { lookups, mirror, secrets }: Omit<Deps, 'contacts'>,
  number: NumberRecord,
  name: string,
  choose: (rows: readonly FoundTemplate[]) => Row | undefined,
  { signal: _, ...context }: CommandContext & { signal?: AbortSignal | undefined },
): Promise<Row | undefined> => {
  const known = choose(await lookups.templates(number.wabaId, name));
  if (known !== undefined) return known;
  const seen = await mirror.readName(senderOf(number, secrets), name, context);
  // Another send, or another instance, may have read the template since this send looked.
  return choose(seen ?? (await lookups.templates(number.wabaId, name, { fresh: true })));
};

/** When the 24-hour window of a recipient at a number closes or closed; null when it never opened. */
export const windowOf = async (
  { lookups, contacts }: Pick<Deps, 'lookups' | 'contacts'>,
  { accountId, phoneNumberId }: NumberRecord,
  to: string,
  { requestId }: CommandContext,
): Promise<number | null> => {
  const contact = await contacts.find(accountId, to, { requestId });
  const windowIn = (contactRef: string) =>
    lookups.windowExpiresAt({ accountId, phoneNumberId, contactRef });
  const expiresAt = contact ? await windowIn(contact.ref) : null;
  // In logs from before contacts had pseudonyms, their ids named them.
  return expiresAt ?? windowIn(to);
};
