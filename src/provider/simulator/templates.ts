import { asArray, asInteger, asText, type Json } from '../shape.ts';
import { fieldsOf, type GraphAnswer, graphError, ok } from './answers.ts';
import type { Reviews } from './reviews.ts';
import { checkComponents, checkDraft, formatOf, shownComponents } from './template-form.ts';
import { remember, type SimulatedTemplate, type World } from './world.ts';

const PAGE_SIZE = 25;
/** More than a double holds exactly, as the provider's ids can be. */
const FIRST_ID = 30_000_000_000_000_000n;
const editable = new Set(['APPROVED', 'REJECTED', 'PAUSED']);

const duplicate = ({ name, language }: SimulatedTemplate) =>
  graphError(100, {
    subcode: 2388024,
    userTitle: 'Content in This Language Already Exists',
    userMessage: `There is already ${language} content for the template ${name}.`,
  });

const cursorOf = (index: number) => Buffer.from(`at ${index}`).toString('base64url');
const indexOf = (cursor: string | null) =>
  Number(
    Buffer.from(cursor ?? '', 'base64url')
      .toString()
      .slice('at '.length),
  ) || 0;

const shown = (template: SimulatedTemplate, query: URLSearchParams): Json => {
  const { wabaId, rejectedReason, parameterFormat, messageSendTtlSeconds, ...rest } = template;
  const whole = {
    ...rest,
    rejected_reason: rejectedReason,
    parameter_format: parameterFormat,
    message_send_ttl_seconds: messageSendTtlSeconds,
  };
  return fieldsOf(whole, query, ['name', 'language', 'status', 'category', 'components']);
};

/** One page of the templates whose name contains the query's, with the address of the next page. */
const pageOf = (all: SimulatedTemplate[], query: URLSearchParams, address: string): Json => {
  const matches = all.filter(({ name }) => name.includes(query.get('name') ?? ''));
  const limit = Math.max(1, Number(query.get('limit')) || PAGE_SIZE);
  const start = indexOf(query.get('after'));
  const end = start + limit;
  const next = new URLSearchParams(query);
  next.set('after', cursorOf(end));
  return {
    data: matches.slice(start, end).map((template) => shown(template, query)),
    paging: {
      cursors: { before: cursorOf(start), after: cursorOf(end) },
      ...(end < matches.length && { next: `${address}?${next}` }),
    },
  };
};

const add = (world: World, wabaId: string, draft: Json): SimulatedTemplate => {
  const category = String(draft.category);
  const template: SimulatedTemplate = {
    id: String(FIRST_ID + BigInt(world.nextId())),
    wabaId,
    name: String(draft.name),
    language: String(draft.language),
    category,
    status: 'PENDING',
    rejectedReason: 'NONE',
    pauses: 0,
    parameterFormat: formatOf(draft),
    messageSendTtlSeconds: asInteger(draft.message_send_ttl_seconds),
    components: shownComponents(category, draft.components),
  };
  remember(world.templates, template.id, template);
  return template;
};

const inAccount = (world: World, wabaId: string) =>
  [...world.templates.values()].filter((template) => template.wabaId === wabaId);

/** The template endpoints. */
export const createTemplates = (world: World, { decide, review }: Reviews) => {
  return {
    create(wabaId: string, draft: Json): GraphAnswer {
      const refusal = checkDraft(draft);
      if (refusal) return refusal;
      const twin = inAccount(world, wabaId).find(
        ({ name, language }) => name === draft.name && language === draft.language,
      );
      if (twin) return duplicate(twin);
      const isPromotional = String(draft.name).includes('promotional');
      const template = add(
        world,
        wabaId,
        isPromotional ? { ...draft, category: 'MARKETING' } : draft,
      );
      review(template);
      if (template.name.includes('opaque')) return graphError(1, { subcode: 99 });
      const { id, status, category } = template;
      return ok({ id, status, category });
    },

    edit(template: SimulatedTemplate, change: Json): GraphAnswer {
      if (!editable.has(template.status)) {
        const details = `A template that is ${template.status} cannot be edited.`;
        return graphError(100, { details });
      }
      if (change.components !== undefined) {
        const refusal = checkComponents(template, change.components);
        if (refusal) return refusal;
        template.components = shownComponents(template.category, change.components);
      }
      template.status = 'PENDING';
      template.rejectedReason = 'NONE';
      review(template);
      const { id, name, category } = template;
      return ok({ success: true, id, name, category });
    },

    read: (template: SimulatedTemplate, query: URLSearchParams): GraphAnswer =>
      ok(shown(template, query)),

    list: (wabaId: string, query: URLSearchParams, address: string): GraphAnswer =>
      ok(pageOf(inAccount(world, wabaId), query, address)),

    /** Removes all languages of a name, or the one with the id, and notifies the service. */
    remove(wabaId: string, query: URLSearchParams): GraphAnswer {
      const id = query.get('hsm_id');
      const doomed = inAccount(world, wabaId).filter(
        (template) => template.name === query.get('name') && (id === null || template.id === id),
      );
      if (doomed.length === 0) return graphError(100, { details: 'There is no such template.' });
      for (const template of doomed) void decide(template, 'DELETED');
      return ok({ success: true });
    },

    /** Adds a template without a review: approved, or in the state that the draft names. */
    seed(wabaId: string, draft: Json): SimulatedTemplate {
      const template = add(world, wabaId, { ...draft, components: asArray(draft.components) });
      template.status = asText(draft.status) ?? 'APPROVED';
      return template;
    },
  };
};

export type Templates = ReturnType<typeof createTemplates>;
