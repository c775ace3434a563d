import { expect } from 'chai';
import { RunStop } from '../../../src/commands/bots/budget.ts';
import { type DataOf, parseNode } from '../../../src/commands/bots/nodes.ts';
import { readResponse, requestOf } from '../../../src/commands/bots/requests.ts';

const scope = {
  contact: { waId: '919812345678', userId: null, name: 'A "B"\r\nX-Evil: 1' },
  text: 'x'.repeat(8000),
  variables: { id: 'a/../b?c' },
};
const made = (data: object) => {
  const parsed = parseNode({ id: 'it', type: 'http_request', data });
  if (parsed.problems) throw new Error(parsed.problems.join());
  return requestOf(parsed.node.data as DataOf<'http_request'>, scope);
};
const url = 'https://a.example/{{vars.id}}';

describe('bots: calls', () => {
  it('encodes values in the URL', () =>
    expect(made({ url })).to.deep.equal({
      method: 'GET',
      url: 'https://a.example/a%2F..%2Fb%3Fc',
      headers: {},
      body: null,
      timeoutMs: 5000,
    }));

  it('lets no value begin a header of its own', () => {
    const { headers } = made({ url, headers: { 'X-Name': '{{contact.name}}' } });
    expect(headers).to.deep.equal({ 'x-name': 'A "B"  X-Evil: 1' });
    expect(made({ url, headers: { 'X-Pad': ' a\n' } }).headers).to.deep.equal({ 'x-pad': 'a' });
  });

  it('writes JSON in which no value gets out of its place', () => {
    const name = { name: 'A "B"\r\nX-Evil: 1' };
    for (const body of [{ name: '{{contact.name}}' }, '{"name":"{{contact.name}}"}']) {
      const request = made({ method: 'POST', url, body });
      expect(JSON.parse(request.body!)).to.deep.equal(name);
      expect(request.headers).to.deep.equal({ 'content-type': 'application/json' });
    }
  });

  it('writes forms and plain text', () => {
    const body = 'id={{vars.id}}&n=1';
    const form = 'application/x-www-form-urlencoded';
    for (const type of [form, `${form}; charset=utf-8`]) {
      const request = made({ method: 'POST', url, headers: { 'Content-Type': type }, body });
      expect(request.body).to.equal('id=a%2F..%2Fb%3Fc&n=1');
      expect(request.headers).to.deep.equal({ 'content-type': type });
    }
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const plain = made({ method: 'POST', url, body });
    expect(plain).to.deep.include({ body: 'id=a/../b?c&n=1', headers });
  });

  it('takes a text for JSON only where it begins so', () => {
    const bodyOf = (body: string) => made({ method: 'POST', url, body }).body;
    const [quoted, name] = ['["A \\"B\\"\\r\\nX-Evil: 1"]', 'A "B"\r\nX-Evil: 1'];
    expect(bodyOf(' \n["{{contact.name}}"]')).to.equal(` \n${quoted}`);
    expect(bodyOf('a: [{{contact.name}}]')).to.equal(`a: [${name}]`);
  });

  it('sends no body and no type of one where there is none', () => {
    for (const body of [undefined, null, '']) {
      expect(made({ method: 'POST', url, body })).to.deep.include({ body: null, headers: {} });
    }
  });

  it('goes 16 levels deep into a body and an answer', () => {
    const nested = (depth: number, inner: unknown): unknown =>
      depth === 0 ? inner : nested(depth - 1, [inner]);
    const sent = (body: unknown) => JSON.parse(made({ method: 'POST', url, body }).body!);
    const read = (body: unknown) => readResponse(JSON.stringify(body));
    for (const through of [sent, read]) {
      expect(through(nested(16, 'x'))).to.deep.equal(nested(16, 'x'));
      expect(through(nested(17, 'x'))).to.deep.equal(nested(16, null));
    }
  });

  it('sends no body with GET', () => expect(made({ url, body: 'x' }).body).to.equal(null));

  it('cuts a header to 2048 characters', () => {
    const { headers } = made({ url, headers: { 'X-Long': '{{message.text}}' } });
    expect(headers['x-long']).to.equal('x'.repeat(2048));
  });

  it('sends a body of 65536 characters and not one more', () => {
    const eight = '{{message.text}}'.repeat(8);
    const body = `${eight}${'y'.repeat(1536)}`;
    expect(made({ method: 'POST', url, body }).body).to.have.length(65_536);
    const huge = Array(100).fill('{{message.text}}');
    for (const longer of [`${body}y`, huge, huge.join('')]) {
      const send = () => made({ method: 'POST', url, body: longer });
      expect(send).to.throw(RunStop, 'body is longer');
    }
  });

  it('reads a response as JSON or text, unless it is too long', () => {
    expect(readResponse('{"a":[1,null]}')).to.deep.equal({ a: [1, null] });
    expect(readResponse('42')).to.equal(42);
    expect(readResponse('{"a":')).to.equal('{"a":');
    expect(readResponse('')).to.equal('');
    expect(readResponse('x'.repeat(16_384))).to.have.length(16_384);
    expect(readResponse('x'.repeat(16_385))).to.equal(undefined);
    expect(readResponse('['.repeat(8000) + ']'.repeat(8000))).to.be.an('array');
    const polluting = readResponse('{"__proto__":{"polluted":1}}') as object;
    expect(Object.getPrototypeOf(polluting)).to.equal(Object.prototype);
  });

  it('keep the digits of long numbers in responses', () => {
    const value = readResponse('{"order":{"id":12345678901234567},"n":[1e400,7]}');
    expect(readResponse('12345678901234567')).to.equal('12345678901234567');
    expect(value).to.deep.equal({ order: { id: '12345678901234567' }, n: ['1e400', 7] });
  });
});
