import type { Content } from '../../events/content.ts';
import type { DirectSendBar } from '../../events/phone.ts';
import type { Json } from '../shape.ts';
import { lengths } from './message-limits.ts';

// Messages of the business without a template (Direct Send): what the provider takes.

const directCategories = ['utility', 'authentication'] as const;

/** What makes a message one without a template. */
export interface Direct {
  category: (typeof directCategories)[number];
  /** The name of the template that the provider makes of the text; utility only. */
  templateName?: string | undefined;
  /** After this time the provider drops an undelivered message. */
  ttlSeconds?: number | undefined;
}

const NAME = /^[a-z0-9_]{1,512}$/;
/** Seconds in which the provider may deliver a message, as for templates; -1 is its longest. */
const ttl = {
  utility: { min: 30, max: 43_200 },
  authentication: { min: 30, max: 900 },
} as const;

const interactiveTypes = ['button', 'cta_url'];

/** The provider's rule that a message without a template breaks, in words that name the field. */
export const brokenDirectRule = (
  { category, templateName, ttlSeconds }: Direct,
  content: Content,
): string | undefined => {
  if (!directCategories.includes(category)) {
    return `category must be ${directCategories.join(' or ')}`;
  }
  const isText = content.type === 'text';
  const buttons = content.type === 'interactive' && String(content.interactive.type);
  const takes =
    category === 'utility'
      ? isText || (buttons !== false && interactiveTypes.includes(buttons))
      : isText;
  if (!takes) {
    return category === 'utility'
      ? 'category utility takes text and the interactive types button and cta_url only'
      : 'category authentication takes text only';
  }
  if (isText && content.body.length > lengths.body) {
    return `\`text.body\` has more than ${lengths.body} characters, the provider's limit with a category`;
  }
  if (templateName !== undefined && (category !== 'utility' || !NAME.test(templateName))) {
    return 'direct_send_config.template_name takes lower-case letters, digits and _, with category utility only';
  }
  const { min, max } = ttl[category];
  const isTime =
    ttlSeconds === undefined || ttlSeconds === -1 || (ttlSeconds >= min && ttlSeconds <= max);
  return isTime
    ? undefined
    : `ttl_seconds must be ${min} to ${max}, or -1, with category ${category}`;
};

/** The fields that make a message one without a template. */
export const encodeDirect = ({ category, templateName, ttlSeconds }: Direct): Json => ({
  category,
  direct_send_config: templateName === undefined ? undefined : { template_name: templateName },
  ttl_seconds: ttlSeconds,
});

const INVALID_PARAMETER = 100;
/** Direct Send alone, or all that the business account's templates have limited. */
const restrictions: ReadonlySet<number | null> = new Set([139200, 131064]);

/**
 * What the refusal of a message without a template says of its business account; undefined where it
 * speaks of the message only.
 */
export const barIn = ({
  code,
  message,
}: {
  code: number | null;
  message: string;
}): DirectSendBar['state'] | undefined => {
  if (restrictions.has(code)) return 'restricted';
  // A business account that was not admitted gets an invalid parameter: the category.
  return code === INVALID_PARAMETER && /\bcategory\b/i.test(message) ? 'not_onboarded' : undefined;
};
