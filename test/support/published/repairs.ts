import type { Published, Schema } from './document.ts';

// The document contradicts itself and JSON Schema in places, and is older than one form of a message. Each
// repair mends one kind of fault.

const nameOf = ($ref: string): string => $ref.slice('#/components/schemas/'.length);

const resolve = ({ components }: Published, schema: Schema): Schema =>
  typeof schema?.$ref === 'string' ? components.schemas[nameOf(schema.$ref)] : schema;

/** Every schema below a value. */
const each = (value: Schema, visit: (schema: Schema) => void): void => {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value);
  for (const child of Object.values(value)) each(child, visit);
};

const BASE = '#/components/schemas/BaseMessageProperties';
const text = { type: 'string' };

/**
 * Received messages have forms of their own: those of sent messages took their names when Meta put its
 * documents together, and require `to`.
 */
const separateReceivedMessages = (document: Published): void => {
  const { schemas } = document.components;
  const base = {
    type: 'object',
    required: ['from', 'id', 'timestamp', 'type'],
    properties: { from: text, id: text, timestamp: text, type: text },
  };
  const receive = (name: string) => {
    const received = structuredClone(schemas[name]);
    received.allOf = received.allOf.map((part: Schema) => (part.$ref === BASE ? base : part));
    schemas[`Received${name}`] = received;
    return `#/components/schemas/Received${name}`;
  };
  const { mapping } = schemas.IncomingMessage.discriminator;
  for (const [type, $ref] of Object.entries<string>(mapping)) mapping[type] = receive(nameOf($ref));
  schemas.SystemMessage = schemas[nameOf(receive('SystemMessage'))];
};

/** `additionalProperties: false` in a part of an `allOf` refuses the properties of the other parts. */
const mergeParts = (document: Published): void => {
  const { schemas } = document.components;
  for (const schema of Object.values(schemas)) {
    if (!Array.isArray(schema.allOf)) continue;
    const parts: Schema[] = schema.allOf.map((part: Schema) => resolve(document, part));
    if (parts.some((part) => part?.type !== 'object' || part.allOf)) continue;
    delete schema.allOf;
    Object.assign(schema, {
      type: 'object',
      required: parts.flatMap((part) => part.required ?? []),
      properties: Object.assign({}, ...parts.map((part) => part.properties)),
      ...(parts.some((part) => part.additionalProperties === false) && {
        additionalProperties: false,
      }),
    });
  }
};

/** Since 2026 a user id may stand for the number of a customer. The document is older. */
const addressUserIds = ({ components: { schemas } }: Published): void => {
  const allow = (schema: Schema, number: string, userId: string) => {
    if (!schema.properties) return;
    schema.properties[userId] = text;
    schema.required = schema.required.filter((name: string) => name !== number);
    schema.anyOf = [{ required: [number] }, { required: [userId] }];
  };
  const forms = Object.values<string>(schemas.Message.discriminator.mapping);
  for (const $ref of forms) allow(schemas[nameOf($ref)], 'to', 'recipient');
  allow(schemas.Statuses, 'recipient_id', 'recipient_user_id');
};

/** A read receipt goes to the address of messages, as in an example there. It has no schema, nor has its answer. */
const describeReceipts = (document: Published): void => {
  document.components.schemas.MessageResponsePayload.properties.success = { type: 'boolean' };
  const body = document.paths['/{Version}/{Phone-Number-ID}/messages']!.post.requestBody;
  const json = body.content['application/json'];
  json.schema = {
    if: { required: ['status'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      type: 'object',
      additionalProperties: false,
      required: ['messaging_product', 'status', 'message_id'],
      properties: {
        messaging_product: { const: 'whatsapp' },
        status: { const: 'read' },
        message_id: text,
        typing_indicator: { type: 'object', required: ['type'], properties: { type: text } },
      },
    },
    else: json.schema,
  };
};

/** The pattern of a button's `index` is a set of characters without 0, which examples have. */
const allowEveryIndex = ({ components }: Published): void =>
  each(components.schemas, ({ properties }) => {
    if (properties?.index?.pattern) properties.index.pattern = '^[0-9]$';
  });

/** `policy` has one value, and examples leave it out. */
const omitPolicy = ({ components }: Published): void => {
  components.schemas.LanguageObject.required = ['code'];
};

/** Places are numbers in the examples, and in what the provider sends. */
const takeNumbersForPlaces = ({ components }: Published): void =>
  each(components.schemas, ({ properties }) => {
    for (const name of ['latitude', 'longitude']) {
      if (properties?.[name]) properties[name].type = ['string', 'number'];
    }
  });

/** Examples of subscribed apps have the app in an object of its own. */
const nestSubscribedApps = ({ components }: Published): void => {
  const app = { type: 'object', properties: { id: text, name: text, link: text } };
  components.schemas.SubscribedApp = {
    type: 'object',
    required: ['whatsapp_business_api_data'],
    properties: { whatsapp_business_api_data: app },
  };
};

export const repairs = [
  separateReceivedMessages,
  mergeParts,
  addressUserIds,
  describeReceipts,
  allowEveryIndex,
  omitPolicy,
  takeNumbersForPlaces,
  nestSubscribedApps,
] as const;
export type Repair = (typeof repairs)[number];
