import { contactIn } from '../../events/contact.ts';
import { AppError } from '../../shared/errors.ts';
import type { JsonRoute } from './route.ts';

// What roles without contents read: no texts and names of customers, and the last four digits of their
// numbers. By the names of fields, in every answer, so that a new route hides them without a word. The
// provider's id of a message holds the number of its customer: the pseudonym of the message replaces it,
// by which every route finds the message, too.

/** Fields with what customers and those who write to them said, and their names. */
const CONTENTS: ReadonlySet<string> = new Set([
  'text',
  'content',
  'contactName',
  'flow',
  'variables',
  'message',
  'raw',
  'body',
  'detail',
]);

/** Fields with the number or the user id of a customer. */
const NUMBERS: ReadonlySet<string> = new Set([
  'to',
  'from',
  'recipient',
  'recipientWaId',
  'recipientUserId',
  'senderWaId',
  'contact',
  'waId',
  'userId',
  'contactUserId',
]);

const SHOWN_DIGITS = 4;

const masked = (text: string): string =>
  contactIn(text) === undefined ? text : `…${text.slice(-SHOWN_DIGITS)}`;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isContent = (name: string, value: unknown, { of, in: parent }: Place): boolean => {
  // A record of a message of ours, whose own fields are looked at.
  if (isObject(value) && 'metaMessageId' in value) return false;
  // What a list holds is looked at, too: such as the names of a template's variables.
  if (CONTENTS.has(name)) return !Array.isArray(value);
  // What was found under a text may be named by a text or a customer's name.
  return (name === 'name' && of === 'contact') || (name === 'title' && 'kind' in parent);
};

interface Place {
  /** The name of the field that holds the object. */
  of: string;
  in: Fields;
}

const MESSAGE_ID = /\bwamid\.[\w+/=-]+/g;

type PseudonymOf = (messageId: string) => string;

const hideIn = (value: unknown, of: string, pseudonymOf: PseudonymOf): unknown => {
  if (Array.isArray(value)) return value.map((one) => hideIn(one, of, pseudonymOf));
  if (typeof value === 'string') {
    return NUMBERS.has(of) ? masked(value) : value.replace(MESSAGE_ID, pseudonymOf);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isContent(name, one, { of, in: value }) ? null : hideIn(one, name, pseudonymOf),
    ]),
  );
};

/** Files and exports hold contents as they are. */
export const isOfContents = ({ download }: JsonRoute): boolean =>
  download === 'file' || download === 'json';

export const refuseContents = (route: JsonRoute): void => {
  if (!isOfContents(route)) return;
  throw new AppError('person.contents', 'This role does not see what customers write');
};

/** A route of templates holds no contents of customers. */
export const hidingOf = (
  { download, scope }: JsonRoute,
  pseudonymOf: PseudonymOf,
): ((body: unknown) => unknown) => {
  const isOfTemplates = typeof scope === 'string' && scope.startsWith('templates:');
  if (isOfTemplates || download === 'events') return (body) => body;
  return (body) => hideIn(body, '', pseudonymOf);
};
