import {
  type CategoryChange,
  TemplateChangeAnnounced,
  type TemplateFact,
  TemplateRecategorised,
} from '../../events/template.ts';

interface Identity {
  wabaId: string;
  name: string;
  language: string;
}

/** What the mirror knows of a template's category. */
interface Known {
  category: string;
  /** The announced change; null without one. */
  changingTo: CategoryChange | null;
}

/** A notice of the category in force (null where it does not say), with the announced change. */
export const noteCategory = (
  identity: Identity,
  { category, changingTo }: { category: string | null; changingTo: CategoryChange | null },
  row: Known,
): TemplateFact[] => {
  const isChanged = category !== null && category !== row.category;
  const known = isChanged ? null : row.changingTo;
  const next = changingTo?.category === (category ?? row.category) ? null : changingTo;
  const isSame = known?.category === next?.category && known?.at === next?.at;
  return [
    ...(isChanged ? [TemplateRecategorised.of({ ...identity, category })] : []),
    ...(isSame ? [] : [TemplateChangeAnnounced.of({ ...identity, changingTo: next })]),
  ];
};

/** The provider changes a category within this time after the one that it has announced. */
const CHANGES_WITHIN_MS = 24 * 60 * 60_000;

/** No notice says that a change was withdrawn: the provider shows the old category long after it. */
export const endOverdue = (
  identity: Identity,
  { category, now }: { category: string; now: number },
  row: Known,
): TemplateFact[] => {
  const at = row.changingTo?.at ?? null;
  const isOver = at !== null && now > Date.parse(at) + CHANGES_WITHIN_MS;
  return isOver && category === row.category
    ? [TemplateChangeAnnounced.of({ ...identity, changingTo: null })]
    : [];
};
