import {
  type ProviderRefusal,
  type ProviderTemplate,
  ProviderUnreachable,
  type Sender,
  type SubmitOutcome,
  type TemplateDraft,
} from '../provider.ts';
import { asId, asText, type Json } from '../shape.ts';
import { bodyOf, type Manage, unreachable } from './manage.ts';
import {
  isCredentialTrouble,
  isDuplicateTemplate,
  isMaybeDone,
  isUnknownObject,
  readRefusal,
} from './refusal.ts';
import { readTemplateState } from './template-state.ts';
import { type TemplateReads, templatesOf } from './templates.ts';

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
