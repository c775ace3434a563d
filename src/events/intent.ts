import { z } from 'zod';
import { catalogText, catalogTextVersion, fillText } from './catalog-texts.ts';
import { Content, clearFields, contentTypes, type Intent, MediaKind, textIn } from './content.ts';

// A message before the send, as the log stores it: an outline in clear, and what it says, sealed.

/** What is not personal in a message. Fields that are absent stand for null, and for false. */
export const Outline = z.object({
  /** Null without a usable number; such a reservation is refunded at once. */
  phoneNumberId: z.string().nullable(),
  source: z.enum(['notification', 'api', 'bot', 'gateway']),
  event: z.string().optional(),
  /** Version of the catalog's text that the message was made of, where that is not the first one. */
  textVersion: z.int().min(2).optional(),
  content: z.object({
    type: z.enum(contentTypes),
    name: z.string().optional(),
    language: z.string().optional(),
    authentication: z.literal(true).optional(),
    previewUrl: z.literal(true).optional(),
    mediaType: MediaKind.optional(),
  }),
  /** In logs of older programs only. */
  contextMessageId: z.string().optional(),
  /** The caller's own id of the message. */
  clientReference: z.string().optional(),
  /** Went out without a template, at the price of its category. */
  direct: z.literal(true).optional(),
  /** The job that sent it. */
  jobId: z.string().optional(),
});
export type Outline = z.output<typeof Outline>;

/** What is personal in a message. */
export const Said = z.object({
  to: z.string(),
  /** The provider's id of the message that this one answers, which holds the contact's number. */
  contextMessageId: z.string().optional(),
  /** The other fields of the content. */
  content: z.record(z.string(), z.unknown()).optional(),
  /** Where it is not the text that content and catalog make. */
  text: z.string().nullable().optional(),
});
export type Said = z.output<typeof Said>;

/** The intent of a message as it is read: what was personal in it is null once it is erased. */
interface ReadIntent extends Omit<Intent, 'to' | 'content' | 'text'> {
  to: string | null;
  content: Content | null;
  /** The text that the customer reads; null without one. */
  text: string | null;
}

const contentOf = (outline: Outline, said: Said): Content => {
  const { content } = outline;
  return {
    ...content,
    ...(content.type === 'notification' && { authentication: content.authentication ?? false }),
    ...(content.type === 'text' && { previewUrl: content.previewUrl ?? false }),
    ...said.content,
  } as Content;
};

/** The text that the customer reads, out of the content; null without one. */
const textOf = ({ event = '', textVersion = 1 }: Outline, content: Content): string | null => {
  if (content.type !== 'notification') return textIn(content);
  const text = catalogText(event, textVersion);
  return text === undefined ? null : fillText(text, content.parameters);
};

/** The intent that outline and said make: the inverse of `splitIntent`. */
export const intentOf = (outline: Outline, said: Said | null): ReadIntent => {
  const { phoneNumberId, source, event, clientReference, direct } = outline;
  const contextMessageId = said && (said.contextMessageId ?? outline.contextMessageId);
  const content = said && contentOf(outline, said);
  const text = content && (said.text === undefined ? textOf(outline, content) : said.text);
  return {
    phoneNumberId,
    source,
    event: event ?? null,
    to: said?.to ?? null,
    content,
    text,
    contextMessageId: contextMessageId ?? null,
    clientReference: clientReference ?? null,
    ...(direct && { direct }),
  };
};

/** Splits an intent into its two parts. */
export const splitIntent = ({
  to,
  text,
  content,
  ...intent
}: Intent): { outline: Outline; said: Said } => {
  const { phoneNumberId, source, event, contextMessageId, clientReference, direct, jobId } = intent;
  const { type, ...fields } = content;
  const textVersion = type === 'notification' ? catalogTextVersion(event ?? '') : 0;
  const clear: readonly string[] = clearFields[type];
  const shown: Record<string, unknown> = { type };
  const personal: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!clear.includes(name)) personal[name] = value;
    else if (value !== null && value !== undefined && value !== false) shown[name] = value;
  }
  const outline = {
    phoneNumberId,
    source,
    ...(event !== null && { event }),
    ...(textVersion > 1 && { textVersion }),
    content: shown,
    ...(clientReference !== null && { clientReference }),
    ...(direct && { direct }),
    ...(jobId !== undefined && { jobId }),
  } as Outline;
  const isDerived = text === undefined || textOf(outline, content) === text;
  const said: Said = {
    to,
    ...(contextMessageId !== null && { contextMessageId }),
    ...(Object.keys(personal).length > 0 && { content: personal }),
    ...(!isDerived && { text }),
  };
  return { outline, said };
};

/** The stored intent of old events, split. */
export const splitStored = (stored: unknown): { outline: Outline; said: Said } => {
  const { content, ...intent } = stored as Intent;
  return splitIntent({ ...intent, content: Content.parse(content) });
};
