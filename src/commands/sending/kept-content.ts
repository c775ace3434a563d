import type { Category, Content } from '../../events/content.ts';
import { findEventByTemplate } from './catalog.ts';

/** Replaces each value of an authentication message in the log. */
export const MASKED = '••••••';

/** Fields of a template's components that describe a value and hold none. */
const structural: Readonly<Record<string, RegExp>> = {
  type: /^[A-Za-z_]{1,40}$/,
  sub_type: /^[A-Za-z_]{1,40}$/,
  index: /^\d{1,2}$/,
  parameter_name: /^[A-Za-z_][A-Za-z_]{0,39}$/,
};

const mask = (value: unknown, field: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => mask(one, ''));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mask(one, key)]));
  }
  const names = Object.hasOwn(structural, field) ? structural[field] : undefined;
  return value === null || names?.test(String(value)) ? value : MASKED;
};

type Part = { type?: unknown; parameters?: unknown };

const firstTextOf = (part: Part | undefined): unknown => {
  const [first] = Array.isArray(part?.parameters) ? part.parameters : [];
  return (first as { text?: unknown } | undefined)?.text;
};

/** Whether components have the form of an authentication template: the code in the body and again on a button. */
const repeatsCode = (components: readonly unknown[]): boolean => {
  const parts = components.filter((one): one is Part => typeof one === 'object' && one !== null);
  const part = (name: string) => parts.find(({ type }) => String(type).toLowerCase() === name);
  const code = firstTextOf(part('body'));
  return code !== undefined && code === firstTextOf(part('button'));
};

/**
 * Whether the log must not hold the values of a message. The category in force decides. A template of
 * the catalog that carries a code stays secret if the provider calls it something else; one whose
 * category is not known (`category` undefined) is secret if it has the form of an authentication template.
 */
export const isSecret = (content: Content, category: Category | undefined): boolean => {
  if (content.type !== 'template' && content.type !== 'notification') return false;
  if (category === 'AUTHENTICATION') return true;
  if (findEventByTemplate(content.name)?.category === 'AUTHENTICATION') return true;
  return category === undefined && content.type === 'template' && repeatsCode(content.components);
};

/** The content as the log keeps it: the one place where the values of authentication messages are masked. */
export const keptContent = (content: Content, category: Category | undefined): Content => {
  if (!isSecret(content, category)) return content;
  switch (content.type) {
    case 'notification':
      return { ...content, parameters: content.parameters.map(() => MASKED) };
    case 'template':
      return { ...content, components: mask(content.components, '') as unknown[] };
    default:
      return content;
  }
};
