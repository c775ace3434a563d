import { asResponse, type Response } from '../edge/respond.ts';
import { type JsonRoute, successStatus } from './route.ts';

// Events tell of a person who acted the id alone, because names are personal data. Answers tell the name
// too, as long as it is known.

/** Who did it, where the person was erased. */
export const FORMER = 'a former person';

/** The name and the e-mail of a person; undefined for an unknown one. */
export type FindPerson = (
  id: string,
) => Promise<{ name: string | null; email: string | null } | undefined>;

/** Fields that say who did something. */
const ACTORS: ReadonlySet<string> = new Set([
  'by',
  'grantedBy',
  'requestedBy',
  'dismissedBy',
  'assigned',
  'assignedBy',
  'person',
]);

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isNameless = (value: unknown): value is { id: string } =>
  isObject(value) && typeof value.id === 'string' && value.name === undefined;

const named = async (find: FindPerson, { id }: { id: string }): Promise<Fields> => {
  const found = await find(id);
  if (!found) return { id };
  const { name, email } = found;
  return { id, name: name ?? FORMER, ...(email !== null && { email }) };
};

const nameIn = async (value: unknown, find: FindPerson): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((one) => nameIn(one, find)));
  if (!isObject(value)) return value;
  const fields = await Promise.all(
    Object.entries(value).map(async ([name, one]) => [
      name,
      ACTORS.has(name) && isNameless(one) ? await named(find, one) : await nameIn(one, find),
    ]),
  );
  return Object.fromEntries(fields);
};

/** The route with the names of people in its answers. */
export const withNames = (route: JsonRoute, find: FindPerson): JsonRoute => {
  const plainStatus = successStatus(route);
  return {
    ...route,
    async handle(input, context): Promise<Response> {
      const answer = asResponse(await route.handle(input, context), plainStatus);
      return { ...answer, body: await nameIn(answer.body, find) };
    },
  };
};
