import type { Clock } from '../../shared/clock.ts';
import {
  type ProviderRefusal,
  type ProviderTemplate,
  ProviderUnreachable,
  type Sender,
  type SubmitOutcome,
  type TemplateDraft,
} from '../provider.ts';
import { readTemplateState } from '../rules/template-state.ts';
import { asArray, asId, asName, asRecord, asText, type Json } from '../shape.ts';
import {
  isCredentialTrouble,
  isDuplicateTemplate,
  isMaybeDone,
  isUnknownObject,
  readRefusal,
} from './client.ts';
import { bodyOf, type Manage, unreachable } from './manage.ts';

const fields = 'id,name,language,status,category,components,rejected_reason';
const PAGE_SIZE = 100;
/** More than the 6,000 templates that a business account may have. */
const PAGES_MAX = 100;

/** Undefined for a value that is not a template, and for a deleted one. */
const readTemplate = (value: unknown): ProviderTemplate | undefined => {
  const body = asRecord(value);
  const metaTemplateId = asId(body.id);
  const name = asName(body.name);
  const language = asId(body.language);
  const status = asText(body.status);
  if (!metaTemplateId || !name || !language || status === null) return undefined;
  const state = readTemplateState(status, body.rejected_reason);
  if (state === null) return undefined;
  const category = asText(body.category) ?? 'MARKETING';
  return {
    metaTemplateId,
    name,
    language,
    category,
    ...state,
    components: asArray(body.components),
  };
};

/** Where the next page starts; undefined on the last one. */
const nextCursor = (page: Json): string | undefined => {
  const paging = asRecord(page.paging);
  const next = asText(paging.next);
  if (next === null) return undefined;
  const after = asText(asRecord(paging.cursors).after);
  // Takes only the cursor from the address, so the token goes to no host that an answer names.
  return after ?? new URLSearchParams(next.split('?')[1]).get('after') ?? undefined;
};

/** Template ids of the provider are numbers. */
const templateId = /^[0-9]{1,64}$/;

/** Path of a business account's templates. */
export const templatesOf = (sender: Sender) =>
  `${encodeURIComponent(sender.wabaId)}/message_templates`;

export const createTemplateReads = (
  manage: Manage,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
) => {
  const list = async (sender: Sender, name?: string): Promise<ProviderTemplate[]> => {
    const found: ProviderTemplate[] = [];
    const latestAt = clock.now() + timeoutMs;
    let after: string | undefined;
    for (let page = 0; page < PAGES_MAX && clock.now() < latestAt; page += 1) {
      const query = {
        fields,
        limit: String(PAGE_SIZE),
        ...(name !== undefined && { name }),
        ...(after !== undefined && { after }),
      };
      const body = bodyOf(await manage.get(sender, templatesOf(sender), query));
      for (const value of asArray(body.data)) {
        const template = readTemplate(value);
        // The provider's filter by name also finds names that merely contain it.
        if (template && (name === undefined || template.name === name)) found.push(template);
      }
      const next = nextCursor(body);
      if (next === undefined || next === after) return found;
      after = next;
    }
    throw new ProviderUnreachable('The list of templates did not end within its limits');
  };

  /** A template of any business account that the token can see. */
  const readAny = async (sender: Sender, metaTemplateId: string) => {
    // The provider answers other words, such as `me`, with other objects that the token can read.
    if (!templateId.test(metaTemplateId)) return undefined;
    const reply = await manage.get(sender, encodeURIComponent(metaTemplateId), { fields });
    if (reply.kind === 'refused' && isUnknownObject(reply.refusal)) return undefined;
    return readTemplate(bodyOf(reply));
  };

  return {
    list,
    readAny,

    /** The one of that name and language, if there is one. */
    async find(sender: Sender, name: string, language: string) {
      return (await list(sender, name)).find((template) => template.language === language);
    },

    /** A token may see several business accounts; here a template counts under the sender's only. */
    async readOwn(sender: Sender, metaTemplateId: string) {
      const template = await readAny(sender, metaTemplateId);
      if (!template) return undefined;
      const own = await list(sender, template.name);
      return own.some((other) => other.metaTemplateId === metaTemplateId) ? template : undefined;
    },
  };
};

type TemplateReads = ReturnType<typeof createTemplateReads>;

const submitted = (template: ProviderTemplate): SubmitOutcome => {
  const { metaTemplateId, status, category } = template;
  return { kind: 'submitted', metaTemplateId, status, category, isNew: false };
};

/** Undefined when the answer does not name the template. */
const readSubmission = (body: Json, draft: TemplateDraft): SubmitOutcome | undefined => {
  const metaTemplateId = asId(body.id);
  if (metaTemplateId === null) return undefined;
  const state = readTemplateState(asText(body.status) ?? 'PENDING', null);
  const category = asText(body.category) ?? draft.category;
  const status = state?.status ?? 'PENDING';
  return { kind: 'submitted', metaTemplateId, status, category, isNew: true };
};

/** Submits and edits templates. Sends each request once. */
export const createSubmissions = (manage: Manage, reads: TemplateReads) => {
  /** The template may exist in spite of the answer, so this looks before it refuses. */
  const lookAfter = async (sender: Sender, draft: TemplateDraft, refusal: ProviderRefusal) => {
    const template = await reads.find(sender, draft.name, draft.language);
    return template ? submitted(template) : ({ kind: 'refused', refusal } as const);
  };

  return {
    async submit(sender: Sender, draft: TemplateDraft): Promise<SubmitOutcome> {
      const { name, language, category, components } = draft;
      const { parameterFormat, messageSendTtlSeconds } = draft;
      const body = {
        name,
        language,
        category,
        components,
        // JSON leaves an undefined field out.
        parameter_format: parameterFormat,
        message_send_ttl_seconds: messageSendTtlSeconds,
      };
      const reply = await manage.post(sender, templatesOf(sender), body);
      if (reply.kind === 'ok') {
        const outcome = readSubmission(reply.body, draft);
        if (outcome) return outcome;
        const refusal = readRefusal(reply.status, reply.body, sender.accessToken);
        return lookAfter(sender, draft, refusal);
      }
      if (reply.kind === 'unknown') {
        // This call or an earlier one has created it; the provider does not tell which.
        if (await reads.find(sender, name, language)) {
          return { kind: 'exists', perhapsByThisCall: true };
        }
      }
      if (reply.kind !== 'refused') throw unreachable(reply);
      const { refusal } = reply;
      if (isDuplicateTemplate(refusal)) return { kind: 'exists' };
      if (isMaybeDone(refusal)) return lookAfter(sender, draft, refusal);
      const forbidden = isCredentialTrouble(refusal) || isUnknownObject(refusal);
      return { kind: forbidden ? 'forbidden' : 'refused', refusal };
    },

    async edit(
      sender: Sender,
      metaTemplateId: string,
      components: unknown[],
    ): Promise<SubmitOutcome> {
      const path = encodeURIComponent(metaTemplateId);
      const reply = await manage.post(sender, path, { components });
      if (reply.kind === 'refused') {
        const kind = isCredentialTrouble(reply.refusal) ? 'forbidden' : 'refused';
        return { kind, refusal: reply.refusal };
      }
      bodyOf(reply);
      // The answer does not tell the new state of the template.
      const template = await reads.readAny(sender, metaTemplateId);
      if (template) return submitted(template);
      throw new ProviderUnreachable('The template was edited and could not be read afterwards');
    },
  };
};
