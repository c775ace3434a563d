import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import type { ContactIds } from '../../events/contact.ts';
import type { Budget } from './budget.ts';
import { fits } from './rules.ts';
import { toNumber } from './text.ts';

// What a contact answers to a question, by the kind that the question asks for.

export const answerKinds = ['any', 'number', 'email', 'phone', 'date', 'regex'] as const;

const EMAIL_LENGTH_MAX = 254;
const PHONE_LENGTH_MAX = 40;
const Email = z.email();

const isoDate = (year: string, month: string, day: string): string | null => {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return z.iso.date().safeParse(text).success ? text : null;
};

/** A day of the calendar as ISO 8601. The year comes first, or last after day and month. */
const readDate = (text: string): string | null => {
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (yearFirst) return isoDate(yearFirst[1]!, yearFirst[3]!, yearFirst[4]!);
  const dayFirst = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(text);
  return dayFirst ? isoDate(dayFirst[4]!, dayFirst[3]!, dayFirst[1]!) : null;
};

/** A telephone number in E.164. One without its country's code is read as of the contact's. */
const readPhone = (text: string, { waId, userId }: ContactIds): string | null => {
  if (text.length > PHONE_LENGTH_MAX) return null;
  const letters = userId?.slice(0, 2) ?? '';
  const ofUserId = isSupportedCountry(letters) ? letters : undefined;
  const country = waId === null ? ofUserId : parsePhoneNumberFromString(`+${waId}`)?.country;
  const phone = parsePhoneNumberFromString(text, {
    ...(country && { defaultCountry: country }),
    extract: false,
  });
  return phone?.isPossible() ? phone.number : null;
};

/**
 * What to keep of an answer, in a form that can be relied on; null when it is none of the kind
 * that the question asks for.
 */
export const readAnswer = (
  { kind, pattern }: { kind: (typeof answerKinds)[number]; pattern?: string | undefined },
  answer: string,
  contact: ContactIds,
  budget: Budget,
): string | null => {
  const text = answer.normalize('NFKC').trim();
  switch (kind) {
    case 'any':
      return answer.trim();
    case 'number':
      return toNumber(text) === null ? null : text;
    case 'email':
      return text.length <= EMAIL_LENGTH_MAX && Email.safeParse(text).success ? text : null;
    case 'phone':
      return readPhone(text, contact);
    case 'date':
      return readDate(text);
    case 'regex':
      return fits(pattern ?? '', text, budget) ? text : null;
  }
};
