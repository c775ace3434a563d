import { catalogText, catalogTextVersion } from '../../events/catalog-texts.ts';
import type { TemplateCategory } from '../pricing/template-category.ts';
import { type CatalogGroup, catalogRows, glossary, type VariableName } from './catalog-rows.ts';

/** An event as callers see it: these fields and no others (contract 2.1). */
export interface CatalogEntry {
  readonly event: string;
  readonly title: string;
  readonly description: string;
  readonly group: CatalogGroup;
  readonly category: TemplateCategory;
  readonly templateName: string;
  readonly language: string;
  readonly variables: readonly string[];
  readonly variableDocs: Readonly<Record<string, string>>;
  readonly preview: string;
}

const LANGUAGE = 'en_US';

const describe = (variables: readonly VariableName[]): Record<string, string> =>
  Object.fromEntries(variables.map((name) => [name, glossary[name].description]));

/** All events, always in this order. */
export const catalog: readonly CatalogEntry[] = Object.freeze(
  catalogRows.map((row) =>
    Object.freeze({
      event: row.event,
      title: row.title,
      description: row.description,
      group: row.group,
      category: row.category,
      templateName: row.templateName ?? row.event,
      language: LANGUAGE,
      variables: Object.freeze([...row.variables]),
      variableDocs: Object.freeze(describe(row.variables)),
      preview: catalogText(row.event, catalogTextVersion(row.event))!,
    }),
  ),
);

export const supportedEvents: readonly string[] = Object.freeze(catalog.map(({ event }) => event));

const byEvent = new Map(catalog.map((entry) => [entry.event, entry]));
const byTemplateName = new Map(catalog.map((entry) => [entry.templateName, entry]));

export const findEvent = (event: string): CatalogEntry | undefined => byEvent.get(event);

export const findEventByTemplate = (templateName: string): CatalogEntry | undefined =>
  byTemplateName.get(templateName);

/** The lifetime of a code that the provider shows to the customer; its own default too. */
const CODE_EXPIRATION_MINUTES = 10;

/**
 * The components under which an entry is submitted. The provider writes the text of an
 * authentication template itself and takes none of ours; every other placeholder needs a sample.
 */
export const templateComponents = (entry: CatalogEntry): Record<string, unknown>[] => {
  if (entry.category === 'AUTHENTICATION') {
    return [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: CODE_EXPIRATION_MINUTES },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
    ];
  }
  const samples = entry.variables.map((name) => glossary[name as VariableName].sample);
  return [{ type: 'BODY', text: entry.preview, example: { body_text: [samples] } }];
};
