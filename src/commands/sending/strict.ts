import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isUserId, parseContact } from '../../events/contact.ts';
import { nearest } from '../../shared/nearest.ts';
import { type CatalogEntry, findEvent, glossary, type VariableName } from './catalog.ts';
import { fillVariables } from './variables.ts';

// What a strict send refuses before it is charged. Without `strict`, all of it is sent.

export interface StrictProblem {
  path: string[];
  message: string;
}

interface Addressed {
  to: string;
  variables: Readonly<Record<string, unknown>>;
}

/** Whether a recipient is a user id, or has the digits of a telephone number of its country. */
const isPossibleRecipient = (to: string): boolean => {
  const id = parseContact(to);
  if (isUserId(id)) return true;
  return !/\p{L}/u.test(to) && parsePhoneNumberFromString(`+${id}`)?.isPossible() === true;
};

export const recipientProblems = (to: string): StrictProblem[] =>
  isPossibleRecipient(to)
    ? []
    : [
        {
          path: ['to'],
          message:
            'is no possible telephone number: write it with its country code, such as +919812345678',
        },
      ];

const isGiven = (variables: Addressed['variables'], name: string): boolean =>
  Object.hasOwn(variables, name) && variables[name] !== null && variables[name] !== undefined;

const variableProblems = (
  entry: CatalogEntry,
  variables: Addressed['variables'],
): StrictProblem[] => {
  const { missingVariables } = fillVariables(entry, variables);
  const missing = missingVariables.map((name) => {
    const { sample } = glossary[name as VariableName];
    const must = isGiven(variables, name) ? 'must be a text or a number, not blank' : 'is required';
    return { path: ['variables', name], message: `${must}, such as ${sample}` };
  });
  const unknown = Object.keys(variables).filter((name) => !entry.variables.includes(name));
  return [
    ...missing,
    ...unknown.map((name) => {
      const meant = nearest(name, missingVariables) ?? nearest(name, entry.variables);
      const known = entry.variables.length === 0 ? 'none' : entry.variables.join(', ');
      const advice = meant === undefined ? `its variables are ${known}` : `did you mean ${meant}?`;
      return {
        path: ['variables', name.slice(0, 100)],
        message: `is no variable of ${entry.event}; ${advice}`,
      };
    }),
  ];
};

const problemsOf = (entry: CatalogEntry, { to, variables }: Addressed): StrictProblem[] => [
  ...recipientProblems(to),
  ...variableProblems(entry, variables),
];

/** After those that are known already. None for an unknown event, which the send refuses itself. */
export const notificationProblems = (
  request: { event: string } & Addressed,
  known: readonly StrictProblem[] = [],
): StrictProblem[] => {
  const entry = findEvent(request.event);
  return entry ? [...known, ...problemsOf(entry, request)] : [];
};

/** Those of all recipients, each with its index in the name of its field. */
export const batchProblems = (
  request: { event: string; recipients: readonly Addressed[] },
  known: readonly StrictProblem[] = [],
): StrictProblem[] => {
  const entry = findEvent(request.event);
  if (!entry) return [];
  const found = request.recipients.flatMap((recipient, index) =>
    problemsOf(entry, recipient).map(({ path, message }) => ({
      path: [`recipients[${index}].${path.join('.')}`],
      message,
    })),
  );
  return [...known, ...found];
};
