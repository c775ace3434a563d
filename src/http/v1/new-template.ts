import { z } from 'zod';
import type { TemplateDraft } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import { phoneNumberId, TemplateCategory } from './schemas.ts';

export const COMPONENTS = "The provider's component objects.";

/** Contract 4.17. */
export const NewTemplate = z.object({
  phoneNumberId: phoneNumberId.describe('A number of the business account.'),
  name: z
    .string()
    .max(512)
    .regex(/^[a-z0-9_]+$/, 'must be lower-case letters, digits and underscores')
    .describe('Lower-case letters, digits and underscores.'),
  language: z.string().min(2).max(20).default('en_US').describe('Locale of the template.'),
  category: TemplateCategory,
  components: z.array(z.record(z.string(), z.unknown())).min(1).max(20).describe(COMPONENTS),
  parameterFormat: z
    .enum(['NAMED', 'POSITIONAL'])
    .optional()
    .describe('`NAMED` for placeholders such as `{{first_name}}`; `POSITIONAL` by default.'),
  messageSendTtlSeconds: z
    .int()
    .min(-1)
    .max(2_592_000)
    .optional()
    .describe(
      'After this time the provider drops an undelivered message; the limits depend on the category. -1 is 30 days.',
    ),
});

/** The texts of components that may have placeholders: headers, bodies, addresses of buttons. */
const textsOf = (value: unknown, key = ''): string[] => {
  if (typeof value === 'string') return key === 'text' || key === 'url' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, name));
};

/** Refuses a draft with named placeholders that are not declared: the provider would, in vague words. */
export const checkPlaceholders = ({
  components,
  parameterFormat,
}: Pick<TemplateDraft, 'components' | 'parameterFormat'>): void => {
  if (parameterFormat === 'NAMED') return;
  const placeholders = textsOf(components).flatMap(
    (text) => text.match(/\{\{\s*\w+\s*\}\}/g) ?? [],
  );
  const named = placeholders.find((placeholder) => !/^\{\{\s*\d+\s*\}\}$/.test(placeholder));
  if (named === undefined) return;
  throw new AppError(
    'request.malformed',
    `The placeholder ${named.slice(0, 100)} has a name: set \`parameterFormat\` to \`NAMED\`, or write numbers, from {{1}} on`,
  );
};
