import { lengths } from '../rules/message-limits.ts';
import { asArray, asRecord, asText, type Json } from '../shape.ts';
import { type GraphAnswer, graphError } from './answers.ts';
import { hasSamples, placeholdersOf, wrongPlaceholders } from './placeholders.ts';
import { BODY_LENGTH_MAX, typeOf } from './template-checks.ts';
import type { SimulatedTemplate } from './world.ts';

const subcode = (code: number, userTitle: string): GraphAnswer =>
  graphError(100, { subcode: code, userTitle, userMessage: `${userTitle}.` });

/** What decides over the form of a template's components. */
type DraftKind = Pick<SimulatedTemplate, 'category' | 'parameterFormat'>;

const categories = new Set(['MARKETING', 'UTILITY', 'AUTHENTICATION']);

const BUTTONS_MAX = 10;
const BUTTON_LABEL_LENGTH_MAX = 25;
/** How many buttons of a type a template has at most; of the others as many as in all. */
const buttonsMax: Readonly<Record<string, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 };

const checkBody = (body: Json, format: string): GraphAnswer | undefined => {
  const text = asText(body.text);
  if (text === null) return subcode(2388072, 'Message body format is incorrect');
  if (text.length > BODY_LENGTH_MAX) return subcode(2388040, 'Character limit exceeded');
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
export const checkComponents = (kind: DraftKind, components: unknown): GraphAnswer | undefined => {
  const parts = asArray(components).map(asRecord);
  return parts.length === 0
    ? graphError(100, { details: 'The parameter components is required.' })
    : checkParts(kind, parts);
};

/** The provider's refusal of a new template. */
export const checkDraft = (draft: Json): GraphAnswer | undefined => {
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
export const shownComponents = (category: string, components: unknown): unknown[] => {
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
