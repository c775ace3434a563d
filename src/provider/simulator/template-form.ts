import { asArray, asRecord, asText, type Json } from '../shape.ts';
import { type GraphAnswer, graphError } from './answers.ts';
import { BODY_LENGTH_MAX, countVariables, typeOf } from './template-checks.ts';

const subcode = (code: number, userTitle: string): GraphAnswer =>
  graphError(100, { subcode: code, userTitle, userMessage: `${userTitle}.` });

const categories = new Set(['MARKETING', 'UTILITY', 'AUTHENTICATION']);

const checkBody = (body: Json): GraphAnswer | undefined => {
  const text = asText(body.text);
  if (text === null) return subcode(2388072, 'Message body format is incorrect');
  if (text.length > BODY_LENGTH_MAX) return subcode(2388040, 'Character limit exceeded');
  const trimmed = text.trim();
  if (/^\{\{\w+\}\}/.test(trimmed) || /\{\{\w+\}\}$/.test(trimmed)) {
    return subcode(2388299, 'Variables cannot be at the start or end of the template');
  }
  const expected = countVariables(text);
  const samples = asArray(asArray(asRecord(body.example).body_text)[0]);
  const named = asArray(asRecord(body.example).body_text_named_params);
  if (Math.max(samples.length, named.length) !== expected) {
    return subcode(2388072, 'Samples of the body do not match its variables');
  }
  return undefined;
};

const checkHeader = (header: Json): GraphAnswer | undefined => {
  if (asText(header.format)?.toUpperCase() !== 'TEXT') return undefined;
  const expected = countVariables(header.text);
  const samples = asArray(asRecord(header.example).header_text);
  const isFit = asText(header.text) !== null && expected <= 1 && samples.length === expected;
  return isFit ? undefined : subcode(2388047, 'Message header format is incorrect');
};

const checkParts = (category: string, parts: Json[]): GraphAnswer | undefined => {
  const body = parts.find((part) => typeOf(part) === 'BODY');
  if (!body) return subcode(2388072, 'A message body is required');
  if (category === 'AUTHENTICATION') {
    const isPlain = body.text === undefined && parts.some((part) => typeOf(part) === 'BUTTONS');
    return isPlain ? undefined : subcode(2388072, 'Authentication templates have a fixed body');
  }
  const header = parts.find((part) => typeOf(part) === 'HEADER');
  return (header && checkHeader(header)) ?? checkBody(body);
};

/** How a draft writes its variables: NAMED or POSITIONAL. */
export const formatOf = (draft: Json): string =>
  asText(draft.parameter_format)?.toUpperCase() ?? 'POSITIONAL';

const hasNames = (parts: Json[]): boolean =>
  parts.some((part) => /\{\{\s*[a-z_]\w*\s*\}\}/i.test(asText(part.text) ?? ''));

/** The provider's refusal of the components of a template. */
export const checkComponents = (
  { category, parameterFormat }: { category: string; parameterFormat: string },
  components: unknown,
) => {
  const parts = asArray(components).map(asRecord);
  if (parts.length === 0)
    return graphError(100, { details: 'The parameter components is required.' });
  if (parameterFormat !== 'NAMED' && hasNames(parts)) {
    return subcode(2388072, 'Named variables need the parameter_format NAMED');
  }
  return checkParts(category, parts);
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
