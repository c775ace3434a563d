import { z } from 'zod';
import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import { livingVersions } from '../../provider/rules/versions.ts';
import { AppError } from '../../shared/errors.ts';
import type { JsonRoute } from '../route/route.ts';
import { graphProblemOf } from './problem.ts';

/** What all routes of the gateway have in common. */
export const GATEWAY = {
  access: 'key',
  scope: 'gateway',
  tags: ['Gateway'],
  problem: graphProblemOf,
} as const;

/** A body, a query or an answer of the provider's API, whose fields the handler reads. */
export const Fields = z.record(z.string(), z.unknown());
export type Fields = z.output<typeof Fields>;

/** The oldest version that the gateway takes; out it speaks the service's own. */
const OLDEST = 'v22.0';

/** Refuses calls of a version of the provider's API that is not alive, or older than the gateway. */
export const inLivingVersions = (route: JsonRoute): JsonRoute => ({
  ...route,
  async handle(input, context) {
    const { version } = input.params as { version: string };
    const living = livingVersions(context.now);
    const taken = living.slice(Math.max(0, living.indexOf(OLDEST)));
    if (taken.includes(version)) return route.handle(input, context);
    throw new AppError('route.unknown', `There is no version ${version.slice(0, 20)} here`, {
      hint: `Use one of ${taken.join(', ')}.`,
    });
  },
});

/** A number of the account that can send. */
export const mustFindNumber = async (
  lookups: Pick<Lookups, 'numbers'>,
  accountId: string,
  phoneNumberId: string,
): Promise<NumberRecord> => {
  const numbers = await lookups.numbers(accountId);
  const number = numbers.find((one) => one.phoneNumberId === phoneNumberId);
  if (number?.accessToken) return number;
  throw new AppError('number.unknown', `Object with ID '${phoneNumberId}' does not exist here`, {
    hint: 'Use the id of a number of the account that has an access token (GET /v1/phones).',
  });
};

/** The numbers of the account on one business account, the oldest first. */
export const mustFindBusiness = async (
  lookups: Pick<Lookups, 'numbers'>,
  accountId: string,
  wabaId: string,
): Promise<readonly [NumberRecord, ...NumberRecord[]]> => {
  const numbers = await lookups.numbers(accountId);
  const [first, ...rest] = numbers.filter(
    (one) => one.wabaId === wabaId && one.accessToken !== null,
  );
  if (first) return [first, ...rest];
  throw new AppError('number.unknown', `Object with ID '${wabaId}' does not exist here`, {
    hint: 'Use the id of a business account of which a number is linked to the account.',
  });
};

export const AddressHeaders = z.object({
  host: z.string().optional(),
  'x-forwarded-proto': z.string().optional(),
});

/** The address under which the caller reached the service. */
export const originOf = (headers: z.output<typeof AddressHeaders>): string =>
  `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;

/** The first text of a parameter of the query. */
export const queryText = (query: Readonly<Fields>, name: string) => {
  const value = query[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : undefined;
};

/** Chooses the fields that the query asks for, and the id. Throws for one that there is not. */
export const chosenFields = (whole: Readonly<Fields>, fields: string | undefined): Fields => {
  if (fields === undefined) return whole;
  const asked = fields.split(',').map((field) => field.trim());
  const unknown = asked.find((field) => !Object.hasOwn(whole, field));
  if (unknown !== undefined) {
    throw new AppError(
      'request.malformed',
      `Tried accessing nonexisting field (${unknown.slice(0, 100)})`,
      { hint: `The gateway has ${Object.keys(whole).join(', ')}.` },
    );
  }
  return Object.fromEntries([...new Set([...asked, 'id'])].map((field) => [field, whole[field]]));
};
