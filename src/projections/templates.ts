import type { EventOf } from '../events/index.ts';
import type { Position } from '../events/store.ts';
import type { CategoryChange, TemplateFact, TemplateStatus } from '../events/template.ts';
import { defineProjection } from './define.ts';

/** One template in one language, in the local mirror. */
export interface TemplateDocument {
  wabaId: string;
  name: string;
  language: string;
  metaTemplateId: string;
  category: string;
  status: TemplateStatus;
  statusReason: string | null;
  /** The change of category that the provider has announced; absent otherwise. */
  changingTo?: CategoryChange;
  components: readonly unknown[];
  /** The account that submitted it as its own; null for the catalog's and the provider's own. */
  accountId: string | null;
  updatedAt: string;
  order: Position;
}

export const templateId = (of: { wabaId: string; name: string; language: string }): string =>
  `${of.wabaId}.${of.name}.${of.language}`;

const key = (event: { data: TemplateFact['data'] }) => templateId(event.data);

const row = (
  template: TemplateDocument | undefined,
  { data, meta, position }: EventOf<'TemplateSubmitted' | 'TemplateAdopted'>,
): TemplateDocument => ({
  wabaId: data.wabaId,
  name: data.name,
  language: data.language,
  metaTemplateId: data.metaTemplateId,
  category: data.category,
  status: data.status,
  statusReason: 'statusReason' in data ? data.statusReason : null,
  components: data.components,
  accountId: data.accountId,
  updatedAt: meta.at,
  order: template?.order ?? position,
});

const withoutChange = ({ changingTo: _, ...template }: TemplateDocument): TemplateDocument =>
  template;

export const templates = defineProjection<TemplateDocument>({
  name: 'templates',
  version: 5,
  indexes: [
    ['wabaId', 'name', 'language'],
    ['wabaId', 'order'],
  ],
  words: ['wabaId'],
  on: {
    TemplateSubmitted: { key, fold: row },
    TemplateAdopted: { key, fold: row },
    TemplateStatusChanged: {
      key,
      fold: (template, { data: { metaTemplateId, status, statusReason }, meta }) =>
        template && { ...template, metaTemplateId, status, statusReason, updatedAt: meta.at },
    },
    TemplateRecategorised: {
      key,
      fold: (template, { data, meta }) =>
        template && { ...withoutChange(template), category: data.category, updatedAt: meta.at },
    },
    TemplateChangeAnnounced: {
      key,
      fold: (template, { data: { changingTo }, meta }) =>
        template && {
          ...withoutChange(template),
          ...(changingTo && { changingTo }),
          updatedAt: meta.at,
        },
    },
    TemplateRemoved: { key, fold: () => null },
  },
});
