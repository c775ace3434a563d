import { expect } from 'chai';
import { breakingChanges, mayBreak, type OpenApi } from '../../release/openapi-changes.ts';
import { readReference } from '../support/openapi.ts';

type Json = Record<string, unknown>;

const reference = readReference() as unknown as OpenApi;

const json = (schema: Json) => ({ content: { 'application/json': { schema } } });

const object = (properties: Json, required: string[] = []): Json => ({
  type: 'object',
  properties,
  required,
});

const base = {
  body: object({ to: { type: 'string', maxLength: 20 }, kind: { enum: ['a', 'b'] } }, ['to']),
  answer: object({ id: { type: 'string' }, cost: { type: 'integer' } }, ['id']) as Json,
  parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }] as Json[],
  security: [{ apiKey: ['send'] }] as Json[],
  event: object({ type: { const: 'sent' } }, ['type']) as Json,
  headers: { 'X-Cost': {} } as Json,
  status: '200',
  path: '/v1/things',
  method: 'post',
};

const documentOf = (change: Partial<typeof base> = {}): OpenApi => {
  const all = { ...base, ...change };
  const { parameters, security } = all;
  const operation = {
    parameters,
    security,
    requestBody: json(all.body),
    responses: {
      [all.status]: { ...json({ $ref: '#/components/schemas/Thing' }), headers: all.headers },
    },
  };
  return {
    info: { version: '1.2.0' },
    paths: { [all.path]: { [all.method]: operation } },
    webhooks: { sent: { post: { requestBody: json(all.event) } } },
    components: { schemas: { Thing: all.answer } },
  } as unknown as OpenApi;
};

const changed = (change: Partial<typeof base>) => breakingChanges(documentOf(), documentOf(change));

const string = { type: 'string' };
const { properties } = base.body as { properties: Json };
const { properties: shown } = base.answer as { properties: Json };

const bodyWith = (change: Json) => object({ ...properties, ...change }, ['to']);
const text = { type: 'string', maxLength: 20 };
const limited = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } };
const required = { name: 'X', in: 'header', required: true, schema: {} };

/** What is said of each, after `POST /v1/things `. */
const breaks: Record<string, [Partial<typeof base>, string]> = {
  'a path that is gone': [{ path: '/v1/others' }, 'is gone'],
  'an operation that is gone': [{ method: 'put' }, 'is gone'],
  'a status of success that is gone': [{ status: '202' }, 'no longer answers 200'],
  'a header that is gone': [{ headers: {} }, '200 no longer has the header X-Cost'],
  'another scope': [
    { security: [{ apiKey: ['send', 'read'] }] },
    'asks for another credential or scope',
  ],
  'a parameter that is gone': [{ parameters: [] }, 'no longer reads query limit'],
  'a new parameter that is required': [
    { parameters: [...base.parameters, required] },
    'requires header X now',
  ],
  'a lower limit of a parameter': [{ parameters: [limited] }, 'query limit has a stricter maximum'],
  'a new field of a request that is required': [
    { body: object({ ...properties, from: string }, ['to', 'from']) },
    'body.from is required now',
  ],
  'a field of a request that is gone': [
    { body: object({ to: properties.to }, ['to']) },
    'body.kind is gone',
  ],
  'a narrower list of values in a request': [
    { body: bodyWith({ kind: { enum: ['a'] } }) },
    'body.kind no longer takes "b"',
  ],
  'a list of values where any was taken': [
    { body: bodyWith({ to: { ...text, enum: ['x'] } }) },
    'body.to no longer takes "any other value"',
  ],
  'another type in a request': [
    { body: bodyWith({ to: { type: 'integer' } }) },
    'body.to is no longer string',
  ],
  'a pattern in a request': [
    { body: bodyWith({ to: { ...text, pattern: '^a' } }) },
    'body.to has a stricter pattern',
  ],
  'a field of an answer that is gone': [
    { answer: object({ id: string }, ['id']) },
    '200.cost is gone',
  ],
  'a field of an answer that may be absent': [
    { answer: object(shown) },
    '200.id may be absent now',
  ],
  'a field of an answer that may be null': [
    { answer: object({ ...shown, id: { type: ['string', 'null'] } }, ['id']) },
    '200.id may be null now',
  ],
};

describe('changes of openapi.json', () => {
  for (const [what, [change, found]] of Object.entries(breaks)) {
    it(`break callers by ${what}`, () => {
      expect(changed(change)).to.deep.equal([`POST /v1/things ${found}`]);
    });
  }

  it('break callers by a field of a webhook that is gone', () => {
    expect(changed({ event: object({}) })).to.deep.equal(['POST sent body.type is gone']);
  });

  it('break no caller by what he may leave out or ignore', () => {
    const harmless: Partial<typeof base>[] = [
      {},
      { body: object({ ...properties, from: string }, ['to']) },
      { body: bodyWith({ kind: { enum: ['a', 'b', 'c'] } }) },
      { body: object({ ...properties, to: { type: ['string', 'null'], maxLength: 30 } }) },
      { answer: object({ ...shown, at: string }, ['id', 'cost', 'at']) },
      { headers: { 'X-Cost': {}, 'X-More': {} } },
      { parameters: [{ name: 'limit', in: 'query', schema: { type: 'number' } }] },
      { security: [{ apiKey: [] }] },
    ];
    for (const change of harmless) expect(changed(change), JSON.stringify(change)).to.be.empty;
  });

  it('are seen in each alternative of an answer', () => {
    const either = (...names: string[]) =>
      documentOf({ answer: { anyOf: names.map((name) => object({ [name]: string }, [name])) } });
    const gone = ['POST /v1/things 200.b is gone'];
    expect(breakingChanges(either('a', 'b'), either('a', 'b', 'c'))).to.be.empty;
    expect(breakingChanges(either('a', 'b'), either('a'))).to.deep.equal(gone);
  });

  it('are allowed with a higher major version alone', () => {
    const at = (version: string): OpenApi => ({ ...documentOf(), info: { version } });
    expect(mayBreak(at('1.9.0'), at('2.0.0'))).to.equal(true);
    expect(mayBreak(at('1.9.0'), at('1.10.0'))).to.equal(false);
  });

  it('are seen in the reference itself', () => {
    expect(breakingChanges(reference, reference)).to.be.empty;
    const { '/v1/notifications/send': send, ...paths } = reference.paths;
    expect(send).to.be.an('object');
    expect(breakingChanges(reference, { ...reference, paths })).to.deep.equal([
      'POST /v1/notifications/send is gone',
    ]);
  });
});
