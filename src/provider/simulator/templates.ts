import { TemplateCategory } from '../../events/category.ts';
import { textIn } from '../../events/content.ts';
import { parseJsonExact } from '../../shared/json.ts';
import { cursorOf, indexOf } from '../rules/cursors.ts';
import { lengths } from '../rules/message-limits.ts';
import type { SentMessage } from '../rules/sent-message.ts';
import { asArray, asInteger, asRecord, asText, type Json } from '../shape.ts';
import { fieldsOf, type GraphAnswer, graphError, ok } from './answers.ts';
import { hasSamples, placeholdersOf, wrongPlaceholders } from './placeholders.ts';
import type { Reviews } from './reviews.ts';
import { typeOf } from './template-checks.ts';
import { remember, type SimulatedTemplate, type World } from './world.ts';

const subcode = (code: number, userTitle: string): GraphAnswer =>
  graphError(100, { subcode: code, userTitle, userMessage: `${userTitle}.` });

/** What decides over the form of a template's components. */
type DraftKind = Pick<SimulatedTemplate, 'category' | 'parameterFormat'>;

const categories = new Set<string>(TemplateCategory.options);

const BUTTONS_MAX = 10;
const BUTTON_LABEL_LENGTH_MAX = 25;
/** How many buttons of a type a template has at most; of the others as many as in all. */
const buttonsMax: Readonly<Record<string, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 };

const checkBody = (body: Json, format: string): GraphAnswer | undefined => {
  const text = asText(body.text);
  if (text === null) return subcode(2388072, 'Message body format is incorrect');
  if (text.length > lengths.body) return subcode(2388040, 'Character limit exceeded');
  const trimmed = text.trim();
  if (/^\{\{\w+\}\}/.test(trimmed) || /\{\{\w+\}\}$/.test(trimmed)) {
    return subcode(2388299, 'Variables cannot be at the start or end of the template');
  }
  if (/\}\}\s*\{\{/.test(text)) return subcode(2388072, 'Variables must not be adjacent');
  if (hasSamples(body, 'body', format)) return undefined;
  return subcode(2388072, 'Samples of the body do not match its variables');
};

const checkHeader = (header: Json, format: string): GraphAnswer | undefined => {
  if (asText(header.format)?.toUpperCase() !== 'TEXT') return undefined;
  const text = asText(header.text);
  const isShort =
    text !== null && text.length <= lengths.header && placeholdersOf(text).length <= 1;
  if (isShort && hasSamples(header, 'header', format)) return undefined;
  return subcode(2388047, 'Message header format is incorrect');
};

const checkFooter = (footer: Json): GraphAnswer | undefined => {
  const text = asText(footer.text);
  const isFit = text !== null && text.length <= lengths.footer && placeholdersOf(text).length === 0;
  return isFit ? undefined : subcode(2388073, 'Message footer format is incorrect');
};

const checkButtons = ({ buttons }: Json): GraphAnswer | undefined => {
  const all = asArray(buttons).map(asRecord);
  const ofType = (type: string) => all.filter((button) => typeOf(button) === type).length;
  const crowded = Object.keys(buttonsMax).find((type) => ofType(type) > (buttonsMax[type] ?? 0));
  if (all.length > BUTTONS_MAX || crowded !== undefined) {
    return graphError(100, {
      details: `The template has too many buttons ${crowded ?? ''}`.trim(),
    });
  }
  const isLong = all.some(({ text }) => (asText(text) ?? '').length > BUTTON_LABEL_LENGTH_MAX);
  return isLong
    ? graphError(100, { details: `A button has more than ${BUTTON_LABEL_LENGTH_MAX} characters` })
    : undefined;
};

type PartCheck = (part: Json, format: string) => GraphAnswer | undefined;

const partChecks: Readonly<Record<string, PartCheck>> = {
  HEADER: checkHeader,
  BODY: checkBody,
  FOOTER: checkFooter,
  BUTTONS: checkButtons,
};

const checkPart = (part: Json, format: string): GraphAnswer | undefined => {
  const wrong = wrongPlaceholders(part.text, format);
  if (wrong !== undefined) return subcode(2388072, wrong);
  return partChecks[typeOf(part) ?? '']?.(part, format);
};

const checkParts = (
  { category, parameterFormat }: DraftKind,
  parts: Json[],
): GraphAnswer | undefined => {
  const body = parts.find((part) => typeOf(part) === 'BODY');
  if (!body) return subcode(2388072, 'A message body is required');
  if (category === 'AUTHENTICATION') {
    const isPlain = body.text === undefined && parts.some((part) => typeOf(part) === 'BUTTONS');
    return isPlain ? undefined : subcode(2388072, 'Authentication templates have a fixed body');
  }
  return parts
    .map((part) => checkPart(part, parameterFormat))
    .find((refusal) => refusal !== undefined);
};

/** How a draft writes its variables: NAMED or POSITIONAL. */
export const formatOf = (draft: Json): string =>
  asText(draft.parameter_format)?.toUpperCase() ?? 'POSITIONAL';

/** The provider's refusal of the components of a template. */
const checkComponents = (kind: DraftKind, components: unknown): GraphAnswer | undefined => {
  const parts = asArray(components).map(asRecord);
  return parts.length === 0
    ? graphError(100, { details: 'The parameter components is required.' })
    : checkParts(kind, parts);
};

/** The provider's refusal of a new template. */
const checkDraft = (draft: Json): GraphAnswer | undefined => {
  if (!/^[a-z0-9_]{1,512}$/.test(asText(draft.name) ?? '')) {
    return graphError(100, { details: 'The parameter name is missing or malformed.' });
  }
  if (asText(draft.language) === null) {
    return graphError(100, { details: 'The parameter language is required.' });
  }
  const category = asText(draft.category) ?? '';
  if (!categories.has(category)) {
    return graphError(100, { details: `The category ${category} is not one of the three.` });
  }
  return checkComponents({ category, parameterFormat: formatOf(draft) }, draft.components);
};

/** Components as the provider shows them, with the fixed texts of an authentication template. */
const shownComponents = (category: string, components: unknown): unknown[] => {
  if (category !== 'AUTHENTICATION') return asArray(components);
  return asArray(components)
    .map(asRecord)
    .map((part) => {
      const type = typeOf(part);
      if (type === 'BODY') {
        const warning = part.add_security_recommendation
          ? ' For your security, do not share this code.'
          : '';
        return { ...part, type, text: `*{{1}}* is your verification code.${warning}` };
      }
      if (type === 'FOOTER') {
        return {
          ...part,
          type,
          text: `This code expires in ${part.code_expiration_minutes} minutes.`,
        };
      }
      if (type !== 'BUTTONS') return part;
      const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
      return { type, buttons: [{ type: 'URL', text: 'Copy code', url }] };
    });
};

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
  const isGenerated = query.get('source') === 'AUTO_GENERATED';
  const matches = all.filter(
    ({ name, generated }) => generated === isGenerated && name.includes(query.get('name') ?? ''),
  );
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
    generated: false,
    components: shownComponents(category, draft.components),
  };
  remember(world.templates, template.id, template);
  return template;
};

/** The template that the provider makes of a message without one, under the name that it asks for. */
export const generatedTemplate = (
  world: World,
  { wabaId }: Pick<SimulatedTemplate, 'wabaId'>,
  { content, direct }: Pick<SentMessage, 'content' | 'direct'>,
): string => {
  const name = direct?.templateName ?? `auto_${direct?.category}`;
  const known = inAccount(world, wabaId).find((one) => one.generated && one.name === name);
  if (known) return known.id;
  const text = content.type === 'text' ? content.body : textIn(content);
  const components = [{ type: 'BODY', text }];
  const category = String(direct?.category).toUpperCase();
  const made = add(world, wabaId, { name, language: 'en_US', category, components });
  Object.assign(made, { generated: true, status: 'APPROVED', components });
  return made.id;
};

const inAccount = (world: World, wabaId: string) =>
  [...world.templates.values()].filter((template) => template.wabaId === wabaId);

/** How many templates one call removes by their ids. */
const IDS_MAX = 100;

/** The ids in a list as JSON; undefined where it is none. */
const idsIn = (text: string | null): readonly string[] | undefined => {
  try {
    const ids: unknown = parseJsonExact(text ?? '[]');
    return Array.isArray(ids) ? ids.map(String) : undefined;
  } catch {
    return undefined;
  }
};

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
      if (template.generated) {
        return graphError(100, {
          details: 'A template that was made of messages cannot be edited.',
        });
      }
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

    /** Removes all languages of a name, or those with the ids, and notifies the service. */
    remove(wabaId: string, query: URLSearchParams): GraphAnswer {
      const [id, name] = [query.get('hsm_id'), query.get('name')];
      const ids = idsIn(query.get('hsm_ids'));
      if (ids === undefined || ids.length > IDS_MAX) {
        return graphError(100, { details: `hsm_ids must be a list of up to ${IDS_MAX} ids.` });
      }
      const isNamed = (template: SimulatedTemplate) =>
        template.name === name && (id === null || template.id === id);
      const doomed = inAccount(world, wabaId).filter(
        (template) => !template.generated && (ids.includes(template.id) || isNamed(template)),
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
