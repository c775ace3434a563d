import { findEventByTemplate } from '../sending/catalog.ts';

// Several accounts may have numbers of one business account, at which the provider keeps one set of
// templates. All of them share the catalog's, and those that nobody submitted here; what an account
// submitted is its own, and for the others as if it did not exist.

export interface TemplateOwner {
  metaTemplateId: string;
  /** Null where it is nobody's: shared. */
  accountId: string | null;
}

/** Whose the template of this id is; `otherwise` where the id was never seen. */
export const ownerOf = (
  owned: TemplateOwner | null,
  metaTemplateId: string,
  otherwise: string | null,
): string | null => (owned?.metaTemplateId === metaTemplateId ? owned.accountId : otherwise);

/** Whether the name is one of the catalog's: such a template is shared, whoever submits it. */
export const isCatalogName = (name: string): boolean => findEventByTemplate(name) !== undefined;

export const isVisibleTo = (accountId: string, template: { accountId: string | null }): boolean =>
  template.accountId === null || template.accountId === accountId;
