import type { Published, Schema } from './document.ts';

// Makes the document tell differences better. It changes no meaning but one: a field that a described
// object does not name is a difference.

const when = (key: string, value: unknown, then: object) => ({
  if: { required: [key], properties: { [key]: { const: value } } },
  then,
});

/** Where a field decides between forms, only the one that it names is compared. */
const chooseByDiscriminator = ({ components }: Published, schema: Schema): void => {
  const { propertyName, mapping } = schema.discriminator ?? {};
  if (!mapping) return;
  delete schema.oneOf;
  for (const $ref of Object.values<string>(mapping)) {
    const form = components.schemas[$ref.split('/').at(-1)!];
    if (form.properties) form.properties[propertyName] ??= {};
  }
  schema.required = [...new Set([...(schema.required ?? []), propertyName])];
  const forms = Object.entries<string>(mapping);
  schema.allOf = forms.map(([value, $ref]) => when(propertyName, value, { $ref }));
  schema.properties ??= { [propertyName]: { enum: forms.map(([value]) => value) } };
};

/** A notice of messages holds statuses, groups, or messages; those of the system come without contacts. */
const chooseNotice = ({ components }: Published): void => {
  const form = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const has = (key: string, name: string, other: object) => ({
    if: { required: [key] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: form(name),
    else: other,
  });
  const received = has(
    'contacts',
    'IncomingMessageValueGeneral',
    form('IncomingMessageValueSystem'),
  );
  const value = has('statuses', 'StatusMessageValue', has('groups', 'GroupValue', received));
  const { Change } = components.schemas;
  Change.properties.value = {};
  Change.allOf = [when('field', 'messages', { properties: { value } })];
};

const isClosable = (schema: Schema): boolean =>
  schema.type === 'object' &&
  typeof schema.properties === 'object' &&
  schema.additionalProperties === undefined &&
  !schema.oneOf &&
  !schema.discriminator;

/** Goes down through properties and items alone: what else holds schemas chooses between forms. */
const closeObjects = (schema: Schema): void => {
  if (typeof schema !== 'object' || schema === null) return;
  if (isClosable(schema)) schema.additionalProperties = false;
  for (const child of Object.values(schema.properties ?? {})) closeObjects(child);
  closeObjects(schema.items);
};

export const sharpen = (document: Published): void => {
  const { schemas } = document.components;
  for (const schema of Object.values(schemas)) {
    chooseByDiscriminator(document, schema);
    for (const child of Object.values(schema.properties ?? {}))
      chooseByDiscriminator(document, child);
  }
  chooseNotice(document);
  for (const schema of Object.values(schemas)) closeObjects(schema);
};
