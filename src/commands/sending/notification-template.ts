import type { Category, Content, Intent } from '../../events/content.ts';
import type { TemplateRow } from '../core/lookups.ts';
import { categoryOfTemplate } from '../pricing/template-category.ts';
import type { CatalogEntry } from './catalog.ts';
import { isSecret, keptContent, MASKED } from './kept-content.ts';
import { renderPreview } from './variables.ts';

// What a notification makes of the template that it goes out as.

/** What a send must know of the approved template that it takes. */
export type ApprovedTemplate = Pick<TemplateRow, 'language' | 'status' | 'category' | 'components'>;

/** The languages under which a template may serve the asked one, best first (contract 4.7). */
export const languagesFor = (language: string): readonly string[] =>
  language === 'en_US' ? ['en_US', 'en'] : [language];

/** The approved row that serves the asked language best. */
export const approvedRow = <Row extends { language: string; status: string }>(
  rows: readonly Row[],
  language: string,
): Row | undefined => {
  for (const candidate of languagesFor(language)) {
    const row = rows.find((one) => one.language === candidate && one.status === 'APPROVED');
    if (row) return row;
  }
  return undefined;
};

/** The provider's category of the template that is sent; the catalog's where none is on record. */
export const categoryOf = (
  isText: boolean,
  row: ApprovedTemplate | undefined,
  entry: CatalogEntry,
): Category => {
  if (isText) return 'SERVICE';
  return row ? categoryOfTemplate(row) : entry.category;
};

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
