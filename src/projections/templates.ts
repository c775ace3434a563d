import type { Position } from '../events/store.ts';
import type { TemplateFact, TemplateStatus } from '../events/template.ts';
import { defineProjection } from './define.ts';

/** The local mirror's row of one template in one language. */
export interface TemplateDocument {
  wabaId: string;
  name: string;
  language: string;
  metaTemplateId: string;
  category: string;
  status: TemplateStatus;
  statusReason: string | null;
  components: readonly unknown[];
  /** The account whose own it is; null for the catalog's, and for what nobody submitted here. */
  accountId: string | null;
  updatedAt: string;
  order: Position;
}

export const templateId = (of: { wabaId: string; name: string; language: string }): string =>
  `${of.wabaId}.${of.name}.${of.language}`;

const key = (event: { data: TemplateFact['data'] }) => templateId(event.data);

export const templates = defineProjection<TemplateDocument>({
  name: 'templates',
  version: 3,
  indexes: [
    ['wabaId', 'name', 'language'],
    ['wabaId', 'order'],
  ],
  on: {
    TemplateSubmitted: {
      key,
      fold: (template, { data, meta, position }) => ({
        wabaId: data.wabaId,
        name: data.name,
        language: data.language,
        metaTemplateId: data.metaTemplateId,
        category: data.category,
        status: data.status,
        statusReason: null,
        components: data.components,
        accountId: data.accountId,
        updatedAt: meta.at,
        order: template?.order ?? position,
      }),
    },
    TemplateAdopted: {
      key,
      fold: (template, { data, meta, position }) => ({
        wabaId: data.wabaId,
        name: data.name,
        language: data.language,
        metaTemplateId: data.metaTemplateId,
        category: data.category,
        status: data.status,
        statusReason: data.statusReason,
        components: data.components,
        accountId: data.accountId,
        updatedAt: meta.at,
        order: template?.order ?? position,
      }),
    },
    TemplateStatusChanged: {
      key,
      fold: (template, { data: { metaTemplateId, status, statusReason }, meta }) =>
        template && { ...template, metaTemplateId, status, statusReason, updatedAt: meta.at },
    },
    TemplateRecategorised: {
      key,
      fold: (template, { data, meta }) =>
        template && { ...template, category: data.category, updatedAt: meta.at },
    },
    TemplateRemoved: { key, fold: () => null },
  },
});
