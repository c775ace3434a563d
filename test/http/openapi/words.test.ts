import { expect } from 'chai';
import { readReference } from '../../support/openapi.ts';

interface Node {
  $ref?: string;
  summary?: string;
  description?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  allOf?: Node[];
  content?: Record<string, { schema: Node }>;
  headers?: Record<string, Node>;
  parameters?: (Node & { name: string })[];
  requestBody?: Node;
  responses?: Record<string, Node>;
}

const reference = readReference();
const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: operation as unknown as Node,
  })),
);

const resolve = (node: Node): Node => {
  if (node.$ref === undefined) return node;
  const keys = node.$ref.slice(2).split('/');
  const found = keys.reduce<unknown>(
    (part, key) => (part as Record<string, unknown>)[key.replaceAll('~1', '/')],
    reference,
  );
  return resolve(found as Node);
};

/** Fields, down to the last one, that nobody says a word about. */
const silent = (node: Node, place: string): string[] => {
  const schema = resolve(node);
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inside = [...parts, ...(schema.allOf ?? [])].flatMap((part) =>
    part ? silent(part, place) : [],
  );
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const told = field.description ?? resolve(field).description;
    return [...(told ? [] : [`${place}.${name}`]), ...silent(field, `${place}.${name}`)];
  });
  return [...inside, ...fields];
};

const schemasIn = (node: Node | undefined): Node[] =>
  Object.values((node && resolve(node).content) ?? {}).map(({ schema }) => schema);

describe('the words of the reference', () => {
  it('describe every operation', () => {
    for (const { name, operation } of operations) {
      expect(operation.summary, name).to.have.length.above(5);
      expect(operation.description, name).to.have.length.above(10);
    }
  });

  it('describe every parameter and header', () => {
    for (const { name, operation } of operations) {
      for (const parameter of operation.parameters ?? []) {
        const said = resolve(parameter).description;
        expect(said, `${name} ${parameter.name}`).to.have.length.above(parameter.name.length);
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        for (const [header, node] of Object.entries(resolve(response).headers ?? {})) {
          const said = resolve(node).description;
          expect(said, `${name} ${status} ${header}`).to.have.length.above(10);
        }
      }
    }
  });

  it('describe every response and every field, with `.describe()` at its schema', () => {
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const { description } = resolve(response);
        expect(description, `${name} ${status}`).to.have.length.above(4);
        expect(description, `${name} ${status}`).not.to.equal(operation.summary);
        if (Number(status) >= 300) continue;
        const fields = schemasIn(response).flatMap((schema) => silent(schema, status));
        expect(fields, name).to.deep.equal([]);
      }
      const fields = schemasIn(operation.requestBody).flatMap((schema) => silent(schema, 'body'));
      expect(fields, name).to.deep.equal([]);
    }
  });
});
