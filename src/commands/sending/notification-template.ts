import type { Category, Content, Intent } from '../../events/content.ts';
import type { TemplateRow } from '../core/lookups.ts';
import { categoryOfTemplate, takesCode } from '../pricing/template-category.ts';
import { isVisibleTo } from '../templates/template-owner.ts';
import type { CatalogEntry } from './catalog.ts';
import { isSecret, keptContent, MASKED } from './kept-content.ts';
import { renderPreview } from './variables.ts';

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
  isText: boolean,
  row: ApprovedTemplate | undefined,
  entry: CatalogEntry,
): Category => {
  if (isText) return 'SERVICE';
  return row ? categoryOfTemplate(row) : entry.category;
};

/** The content of a notification that goes out as a template. */
export const templateContent = (
  entry: CatalogEntry,
  row: ApprovedTemplate | undefined,
  language: string,
  parameters: string[],
): Extract<Content, { type: 'notification' }> => ({
  type: 'notification',
  name: entry.templateName,
  language: row?.language ?? language,
  authentication: row ? takesCode(row) : entry.category === 'AUTHENTICATION',
  parameters,
});

/** Content and text as the log keeps them. */
export const keptWords = (
  entry: CatalogEntry,
  content: Content,
  said: { category: Category; text: string; parameters: readonly string[] },
): Pick<Intent, 'content' | 'text'> => {
  const isCode = entry.category === 'AUTHENTICATION' || isSecret(content, said.category);
  if (!isCode) return { content, text: said.text };
  const text = renderPreview(
    entry,
    said.parameters.map(() => MASKED),
  );
  return content.type === 'text'
    ? { content: { ...content, body: text }, text }
    : { content: keptContent(content, said.category), text };
};
