import type { Content } from '../../events/content.ts';
import { lengths } from '../rules/message-limits.ts';
import { asArray, asRecord, asText, type Json } from '../shape.ts';
import { type GraphAnswer, graphError } from './answers.ts';
import { isEachOnce, placeholdersOf } from './placeholders.ts';
import type { SimulatedTemplate } from './world.ts';

/** The text of a template that is nothing but a body, with its values. */
const LONE_BODY_LENGTH_MAX = 32_768;

/** The type of a part or a button, in upper case. */
export const typeOf = (part: Json): string | undefined => asText(part.type)?.toUpperCase();

const partOf = (components: unknown[], type: string): Json =>
  components.map(asRecord).find((part) => typeOf(part) === type) ?? {};

const parametersOf = (part: Json): Json[] => asArray(part.parameters).map(asRecord);

const checkNames = (given: Json[], expected: readonly string[], where: string) => {
  const names = given.map((parameter) => asText(parameter.parameter_name) ?? '');
  if (names.includes('')) {
    return graphError(100, { details: 'Parameter name is missing or empty' });
  }
  if (isEachOnce(names, expected)) return undefined;
  return graphError(132000, {
    details: `${where}: the parameters ${names} do not match the expected ones: ${expected}`,
  });
};

const checkCount = (given: Json[], expected: readonly string[], where: string) => {
  if (given.length === expected.length) return undefined;
  return graphError(132000, {
    details:
      `${where}: number of localizable_params (${given.length}) does not match the ` +
      `expected number of params (${expected.length})`,
  });
};

/** A text takes one parameter for each placeholder: by its name, or in order. */
const checkParameters = (template: SimulatedTemplate, given: unknown[], type: string) => {
  const parameters = parametersOf(partOf(given, type));
  const expected = placeholdersOf(partOf(template.components, type).text);
  const check = template.parameterFormat === 'NAMED' ? checkNames : checkCount;
  return check(parameters, expected, type.toLowerCase());
};

/** A media header needs its medium at each send. */
const checkHeader = (template: SimulatedTemplate, given: unknown[]) => {
  const format = asText(partOf(template.components, 'HEADER').format)?.toUpperCase();
  if (format === undefined || format === 'TEXT') return checkParameters(template, given, 'HEADER');
  const [parameter] = parametersOf(partOf(given, 'HEADER'));
  const type = asText(parameter?.type) ?? 'nothing';
  if (type.toUpperCase() === format) return undefined;
  return graphError(132012, {
    details: `header: Format mismatch, expected ${format}, received ${type}`,
  });
};

/** A button whose address has a variable needs its value at each send. */
const checkButtons = (template: SimulatedTemplate, given: unknown[]) => {
  const buttons = asArray(partOf(template.components, 'BUTTONS').buttons).map(asRecord);
  const missing = buttons.findIndex((button, index) => {
    if (typeOf(button) !== 'URL' || placeholdersOf(button.url).length === 0) return false;
    const filled = given.map(asRecord).find((part) => {
      const isUrl = typeOf(part) === 'BUTTON' && part.sub_type === 'url';
      return isUrl && asText(part.index) === String(index);
    });
    return parametersOf(filled ?? {}).length === 0;
  });
  if (missing < 0) return undefined;
  return graphError(131008, {
    details: `buttons: Button at index ${missing} of type Url requires a parameter`,
  });
};

const textsOf = (given: unknown[]): unknown[] =>
  given
    .flatMap((part) => parametersOf(asRecord(part)))
    .filter((parameter) => parameter.type === 'text')
    .map((parameter) => parameter.text);

const checkTexts = (given: unknown[]) => {
  for (const text of textsOf(given)) {
    if (asText(text) === null) {
      return graphError(131008, { details: 'Parameter of type text is missing text value' });
    }
    if (/[\n\t]| {5,}/.test(String(text))) {
      return graphError(132018, {
        details: 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
      });
    }
  }
  return undefined;
};

const checkLength = (template: SimulatedTemplate, given: unknown[]) => {
  const text = asText(partOf(template.components, 'BODY').text) ?? '';
  const values = textsOf([partOf(given, 'BODY')]);
  const length = values.reduce<number>((sum, value) => sum + String(value).length, text.length);
  const max = template.components.length > 1 ? lengths.body : LONE_BODY_LENGTH_MAX;
  return length > max ? graphError(132005) : undefined;
};

/** An authentication template takes a short code, for its text and for its button. */
const checkCode = ({ category }: SimulatedTemplate, given: unknown[]) => {
  if (category !== 'AUTHENTICATION') return undefined;
  const index = textsOf(given).findIndex((text) => String(text).length > lengths.code);
  if (index < 0) return undefined;
  return graphError(131009, {
    details:
      `template parameter at index ${index} exceeds the maximum length in the AUTHENTICATION ` +
      `category (${lengths.code} characters).`,
  });
};

const checkState = (template: SimulatedTemplate) => {
  if (template.status === 'PAUSED') return graphError(132015);
  if (template.status === 'DISABLED') return graphError(132016);
  return undefined;
};

/** The provider's refusal of a template message with these components. */
export const checkTemplateSend = (
  templates: SimulatedTemplate[],
  message: Extract<Content, { type: 'template' }>,
): GraphAnswer | undefined => {
  const { name, language } = message;
  const template = templates.find((one) => one.name === name && one.language === language);
  const stopped = template && checkState(template);
  if (stopped) return stopped;
  if (template?.status !== 'APPROVED') {
    return graphError(132001, {
      details: `template name (${name}) does not exist in ${language}`,
    });
  }
  const given = message.components;
  return (
    checkHeader(template, given) ??
    checkParameters(template, given, 'BODY') ??
    checkButtons(template, given) ??
    checkTexts(given) ??
    checkCode(template, given) ??
    checkLength(template, given)
  );
};
