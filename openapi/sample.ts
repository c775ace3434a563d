import type { Schema } from './schema.ts';

// Likely values for examples, by the name of a field and by what an id names.

const TAIL = '0192f6a47c1e7b529d3e5a1f0c2b8e11';
export const UUID = '0192f6a4-7c1e-7b52-9d3e-5a1f0c2b8e11';

/** Ids by what they name. */
export const ids: Readonly<Record<string, string>> = {
  account: `acc_${TAIL}`,
  entry: `led_${TAIL}_2a`,
  charge: `chg_${TAIL}_2a`,
  key: `key_${TAIL}`,
  administrator: `adm_${TAIL}`,
  plan: 'standard',
  ratecard: `card_${TAIL}`,
  deadletter: `dl_${TAIL}`,
  message: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSOUI1RjE2',
  phonenumber: '106540352242922',
  number: '106540352242922',
  waba: '200000000000002',
  contact: '919812345678',
  template: '3000000000000003',
};

/** Values by the name of a field. */
export const values: Readonly<Record<string, unknown>> = {
  q: 'A-1042',
  name: 'Corner Shop',
  email: 'ada@shop.example',
  currency: 'USD',
  timeZone: 'Asia/Kolkata',
  quietHours: null,
  contact: '+919812345678',
  pin: '482913',
  reason: 'Invoice 2026-1042',
  accessToken: 'EAAGm0PX4ZCpsBAKZC',
  displayPhoneNumber: '+1 555-010-0001',
  verifiedName: 'Corner Shop',
  prefix: 'wb_live_3kTq',
  token: 'wb_adm_3kTq9Zx0T3yB7nXwE2aZpQ',
  note: 'waybill/ledger\n42\n5pZBtGh0kyVq2YHnX2Jv1o3m1rC7s8bVb0QfX8Jm3aE=\n\n— waybill/ledger 8Hk2vQ…\n',
  scopes: ['notifications:send'],
  description: 'The order is on its way.',
  preview: 'Your order A-1042 is on its way.',
  variables: ['orderId', 'awbCode', 'trackingLink'],
  detail: 'The balance differs.',
  code: '131026',
  position: '00000000000004d2',
  markupPercent: '20',
  amount: 500,
  balance: 998,
  balanceAfter: 998,
  opening: 1000,
  closing: 998,
  market: 'India',
  country: 'IN',
  countryCode: 'IN',
  category: 'UTILITY',
  event: 'order_shipped',
  problemCount: 0,
  problems: [],
  differences: [],
  differenceCount: 0,
  byPlanCount: 0,
  lag: 0,
  size: 3,
  index: 1,
  rateLimit: 120,
  messagesPerSecond: 80,
  contentRetentionMonths: 24,
  perMinute: 600,
  total: 18,
  ready: 18,
  blockers: [],
  status: 'sent',
  stream: `account-acc_${TAIL}`,
  type: 'MessageSent',
  messageType: 'template',
  templateName: 'order_shipped_v1',
  title: 'Order shipped',
  language: 'en',
  unit: 'credits',
  qualityRating: 'GREEN',
  path: '/console#link=eyJrZXkiOiJ2MSJ9',
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  expiresAt: '2026-12-21T10:15:07.412Z',
  allowedOrigins: ['https://shop.example'],
};

export const TIME = '2026-11-21T10:15:07.412Z';
const DIGEST = '5pZBtGh0kyVq2YHnX2Jv1o3m1rC7s8bVb0QfX8Jm3aE=';

// Examples for operations without written ones: a value that the schema allows, with a likely value
// for each known name.

const NESTED_MAX = 8;

export interface SampleContext {
  components: Readonly<Record<string, Schema>>;
  /** What an `id` names, such as `account`. */
  owner?: string;
}

const idOf = (kind: string): string => ids[kind.toLowerCase().replace(/[^a-z]/g, '')] ?? UUID;

const likely = (name: string, owner: string): unknown => {
  if (Object.hasOwn(values, name)) return values[name];
  if (name === 'id') return idOf(owner);
  if (name === 'key')
    return /key/i.test(owner) ? 'wb_live_3kTq9Zx0T3yB7nXwE2aZpQ' : 'waybill/ledger+1f2c8e11+AbQ3';
  if (/(WaId|UserId)$/.test(name)) return ids.contact;
  if (/MessageId$/.test(name)) return ids.message;
  if (/Id$/.test(name)) return idOf(name.slice(0, -2));
  if (/(At|Since|Until)$|^(at|since)$/.test(name)) return TIME;
  if (/(hash|root|digest|link|previous)$/i.test(name)) return DIGEST;
  return undefined;
};

const textOf = (schema: Schema, name: string): string => {
  if (schema.format === 'date-time') return TIME;
  if (schema.format === 'email') return 'ada@shop.example';
  if (schema.format === 'decimal') return '25.00';
  if (schema.format === 'uri') return 'https://shop.example/hooks/waybill';
  if (schema.format === 'uuid') return UUID;
  if (/decimal/i.test(String(schema.description ?? ''))) return '0.0118';
  if (String(schema.pattern).includes('{43}=')) return DIGEST;
  return name === '' ? 'text' : name;
};

/** Whether a likely value has the type and the bounds of the schema. */
const fits = (schema: Schema, value: unknown): boolean => {
  const types = [schema.type ?? []].flat();
  const type = Array.isArray(value) ? 'array' : typeof value;
  const isOfType =
    types.includes(type) || (types.includes('integer') && Number.isSafeInteger(value));
  if (!isOfType || schema.enum || schema.format === 'decimal') return false;
  if (typeof value !== 'string') return true;
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value))) return false;
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value))
    return false;
  return value.length <= Number(schema.maxLength ?? value.length);
};

const objectOf = (
  schema: Schema,
  context: SampleContext,
  depth: number,
): Record<string, unknown> => {
  const required = new Set((schema.required as readonly string[]) ?? []);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const needed = properties.filter(([name]) => required.has(name));
  // A body of optional fields shows the first one; `{}` would teach nothing.
  const shown = needed.length === 0 && depth === 1 ? properties.slice(0, 1) : needed;
  const fields = shown.map(([name, field]) => [name, at(field, context, name, depth)]);
  if (properties.length > 0 || typeof schema.additionalProperties !== 'object') {
    return Object.fromEntries(fields);
  }
  const { enum: known = [] } = (schema.propertyNames ?? {}) as { enum?: readonly string[] };
  const keys = required.size > 0 ? [...required] : known.slice(0, 1);
  const value = schema.additionalProperties as Schema;
  return Object.fromEntries(keys.map((key) => [key, at(value, context, '', depth)]));
};

/** Null for what has no likely value and may be null. */
const isNull = ({ type, anyOf }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) ||
  (Array.isArray(anyOf) && anyOf.some((one) => one.type === 'null' || isNull(one)));

const at = (schema: Schema, context: SampleContext, name: string, depth: number): unknown => {
  if (typeof schema.$ref === 'string') {
    const owner = schema.$ref.split('/').at(-1)!;
    const target = context.components[owner]!;
    return depth > NESTED_MAX ? {} : at(target, { ...context, owner }, name, depth + 1);
  }
  if (schema.const !== undefined) return schema.const;
  const { examples, default: usual } = schema;
  if (Array.isArray(examples)) return examples[0];
  const given = likely(name, context.owner ?? '');
  if (given !== undefined && fits(schema, given)) return given;
  if (usual !== undefined) return usual;
  if (isNull(schema) && name !== '') return null;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (choices) return at(choices[0]!, context, name, depth);
  const type = [schema.type].flat()[0];
  if (type === 'object') return objectOf(schema, context, depth + 1);
  if (type === 'array') {
    return depth > NESTED_MAX
      ? []
      : [at((schema.items ?? {}) as Schema, context, name.replace(/s$/, ''), depth + 1)];
  }
  if (type === 'integer' || type === 'number') {
    return Math.max(1, Number(schema.minimum ?? 1));
  }
  if (type === 'boolean')
    return /^(ok|success|readModel|signed|ready|has|registered|subscribed)/.test(name);
  if (type === 'null') return null;
  return type === 'string' ? textOf(schema, name) : {};
};

/** A value that the schema allows. */
export const sampleOf = (schema: Schema, context: SampleContext): unknown =>
  at(schema, context, '', 0);

/** The id in a path after this segment, such as `dead-letters`; undefined where none is known. */
export const sampleId = (segment: string): string => idOf(segment.replace(/s$/, ''));
