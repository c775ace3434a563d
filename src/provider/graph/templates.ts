import type { Clock } from '../../shared/clock.ts';
import { type ProviderTemplate, ProviderUnreachable, type Sender } from '../provider.ts';
import { asArray, asId, asName, asRecord, asText, type Json } from '../shape.ts';
import { bodyOf, type Manage } from './manage.ts';
import { isUnknownObject } from './refusal.ts';
import { readTemplateState } from './template-state.ts';

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

export type TemplateReads = ReturnType<typeof createTemplateReads>;
