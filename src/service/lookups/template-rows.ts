import type { KnownEvent } from '../../events/index.ts';
import { type TemplateDocument, templateId, templates } from '../../projections/templates.ts';

/** An event that changes a row of the local mirror of templates. */
export type TemplateEvent = Extract<
  KnownEvent,
  { type: keyof typeof templates.on & `Template${string}` }
>;

export const templateEventTypes: readonly string[] = Object.keys(templates.on).filter((type) =>
  type.startsWith('Template'),
);

const byLanguage = (one: TemplateDocument, other: TemplateDocument) =>
  one.language < other.language ? -1 : Number(one.language > other.language);

/**
 * The kept rows of one template name after an event of one of them, folded as the read model folds
 * it. The log may deliver events again that the rows contain already: after the last of these the
 * rows are what they were.
 */
export const withTemplateEvent = (
  rows: readonly TemplateDocument[],
  event: TemplateEvent,
): readonly TemplateDocument[] => {
  const id = templateId(event.data);
  const row = rows.find((one) => templateId(one) === id);
  const handler = templates.on[event.type] as NonNullable<(typeof templates.on)['TemplateRemoved']>;
  const after = handler.fold(row, event as Parameters<typeof handler.fold>[1], id, () => undefined);
  if (after === row || after === undefined) return rows;
  const others = rows.filter((one) => one !== row);
  return after === null ? others : [...others, after].toSorted(byLanguage);
};
