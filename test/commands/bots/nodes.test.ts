import { expect } from 'chai';
import { outcomesOf, parseNode } from '../../../src/commands/bots/nodes.ts';
import { graph, node, problemsOf } from './graphs.ts';

const start = node('s', 'start');

/** What is wrong with the data of one node. */
const wrongIn = (type: string, data: unknown) =>
  problemsOf(graph([start, node('n', type, data)], 's -> n'));

/** What is wrong with an edge of that node. */
const wrongAt = (type: string, data: unknown, leaving: string) =>
  problemsOf(graph([start, node('n', type, data), node('e', 'end')], 's -> n', leaving));

const button = (id: string, title = id) => ({ id, title });
const buttonsOf = (change: object) => ({ text: 't', buttons: [button('a')], ...change });
const row = (id: string) => ({ id, title: id });
/** A list with these sections: rows with or without a title. */
const listOf = (...sections: object[]) => ({ text: 't', buttonLabel: 'x', sections });
const media = (change: object) => ({ mediaType: 'image', id: '1', ...change });
const hours = (...mon: string[][]) => ({ timezone: 'UTC', days: { mon } });
const link = 'http://a.example';
const regex = (change: object) => ({ text: '?', validation: { kind: 'regex', ...change } });
const ruled = (rule: object) => ({ rules: [{ variable: 'vars.x', ...rule }] });
const cases = (...ids: string[]) => ids.map((id) => ({ id, value: '1' }));

describe('bots: the data of a node', () => {
  it('needs an id that is no longer than it should be', () => {
    const named = (length: number) => problemsOf(graph([node('x'.repeat(length), 'start')]));
    expect(named(200)).to.be.empty;
    expect(named(201).join()).to.match(/id is longer than 200/);
  });

  it('takes an empty text of an editor for one that was left open', () => {
    expect(wrongIn('media', { mediaType: 'image', id: '1', link: '', caption: null })).to.be.empty;
  });

  it('names what the provider would refuse', () => {
    for (const [type, data, expected] of [
      ['message', {}, /^n: data\.text: /],
      ['media', { mediaType: 'image' }, /either a link or an id/],
      ['media', media({ link }), /either a link or an id/],
      ['media', { mediaType: 'image', link: 'ftp://a.example' }, /data\.link: must be an http/],
      ['media', media({ mediaType: 'audio', caption: 'c' }), /has a caption/],
      ['media', media({ mediaType: 'sticker', caption: 'c' }), /has a caption/],
      ['media', media({ filename: 'f' }), /has a filename/],
      ['template', { name: 'Not OK' }, /data\.name: must be a template name/],
      ['template', { name: 'Not_ok' }, /data\.name: must be a template name/],
      ['template', { name: 'not_oK' }, /data\.name: must be a template name/],
      ['template', 'text', /data: /],
      ['message', { text: ' \n' }, /data\.text: must not be blank/],
      ['media', { mediaType: 'image', link: 'ftp://{{vars.x}}' }, /data\.link: must be an http/],
      ['media', { mediaType: 'image', link: '{{vars.x}}:y' }, /data\.link: must be an http/],
      ['template', { event: 'no_such' }, /no event of the catalog/],
      ['buttons', buttonsOf({ buttons: [button('a'), button('a', 'b')] }), /different ids/],
      ['buttons', buttonsOf({ buttons: [button('a', 'x'), button('b', 'x')] }), /different titles/],
      ['buttons', buttonsOf({ buttons: [button('a', 'x'.repeat(21))] }), /longer than 20/],
      ['buttons', buttonsOf({ buttons: [button(' a')] }), /begin or end with a space/],
      ['buttons', buttonsOf({ header: { type: 'audio', id: '1' } }), /data\.header/],
      ['list', listOf({ rows: [...'abcdefghijk'].map(row) }), /10 rows in all/],
      ['list', listOf({ rows: [row('a')] }, { rows: [row('b')] }), /each have a title/],
      ['list', listOf({ title: 'A', rows: [row('a')] }, { rows: [row('b')] }), /each have a title/],
      ['list', listOf({ rows: [row('a'), row('a')] }), /different row ids/],
    ] as const) {
      expect(wrongIn(type, data).join('\n'), JSON.stringify(data)).to.match(expected);
    }
  });

  it('names problems that would stop a run', () => {
    for (const [type, data, expected] of [
      ['question', { text: '?', saveAs: 'vars.x' }, /bare name/],
      ['question', regex({}), /needs a pattern/],
      ['question', regex({ pattern: '(' }), /cannot be read/],
      ['condition', ruled({ variable: 'x', op: 'equals', value: '1' }), /vars\.<name>/],
      ['condition', ruled({ op: 'equals' }), /needs a value/],
      ['condition', ruled({ op: 'matches', value: '(a)\\1' }), /cannot be read/],
      ['switch', { variable: 'vars.x', cases: cases('a', 'a') }, /different ids/],
      ['set_variable', { assignments: [{ name: '__proto__', value: '1' }] }, /bare name/],
      ['business_hours', { timezone: 'Mars/Base', days: {} }, /time zone/],
      ['business_hours', { timezone: 'UTC', days: { monday: [] } }, /monday/],
      ['business_hours', hours(['9:00', '18:00']), /such as 09:00/],
      ['business_hours', hours(['24:00', '18:00']), /such as 09:00/],
      ['business_hours', hours(['09:00', '24:01']), /such as 09:00/],
      ['business_hours', hours(['09:00', '25:00']), /such as 09:00/],
      ['business_hours', hours(['09:60', '18:00']), /such as 09:00/],
      ['business_hours', hours(['x9:00', '18:00']), /such as 09:00/],
      ['business_hours', hours(['009:00', '18:0']), /such as 09:00/],
      ['business_hours', hours(['09:000', '18:00']), /such as 09:00/],
      ['business_hours', hours(['09:00', '09:00']), /must not begin when it ends/],
      ['http_request', { url: 'file:///etc/passwd' }, /http\(s\) URL/],
      ['http_request', { url: link, headers: { A: 'a', Host: 'b' } }, /cannot be set/],
      ['http_request', { url: link, headers: { 'a b': 'c' } }, /cannot be set/],
    ] as const) {
      expect(wrongIn(type, data).join('\n'), JSON.stringify(data)).to.match(expected);
    }
  });

  it('takes each kind of thing that the provider or a rule knows', () => {
    const withCaption = ['image', 'video', 'document'];
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const named = { variable: 'contact.name' };
    const each = (type: string, values: readonly string[], data: (value: string) => object) =>
      values.map((value) => [type, data(value)] as const);
    for (const [type, data] of [
      ...each('media', [...withCaption, 'audio', 'sticker'], (mediaType) => ({ mediaType, link })),
      ...each('media', withCaption, (mediaType) => media({ mediaType, caption: 'c' })),
      ...each('buttons', withCaption, (kind) => buttonsOf({ header: { type: kind, id: '1' } })),
      ...each('http_request', methods, (method) => ({ method, url: link })),
      ...each('condition', ['is_empty', 'is_not_empty'], (op) => ruled({ ...named, op })),
      ['business_hours', hours(['20:00', '24:00'])],
      ['http_request', { url: '{{vars.url}}' }],
    ] as const) {
      expect(wrongIn(type, data), JSON.stringify(data)).to.deep.equal([]);
    }
  });
});

describe('bots: the outcomes of a node', () => {
  const outcomes: [type: string, data: unknown, outcomes: readonly string[]][] = [
    ['start', {}, ['default']],
    ['message', { text: 't' }, ['default']],
    ['media', { mediaType: 'image', id: '1' }, ['default']],
    ['location', { latitude: 0, longitude: 0 }, ['default']],
    ['template', { name: 'hello' }, ['default', 'failed']],
    [
      'buttons',
      buttonsOf({ buttons: [button('a'), button('b')] }),
      ['button:a', 'button:b', 'other', 'timeout'],
    ],
    [
      'list',
      listOf({ title: 'A', rows: [row('a')] }, { title: 'B', rows: [row('b')] }),
      ['row:a', 'row:b', 'other', 'timeout'],
    ],
    ['question', { text: '?' }, ['default', 'invalid', 'timeout']],
    ['condition', ruled({ op: 'is_empty' }), ['true', 'false']],
    ['switch', { variable: 'vars.x', cases: cases('a') }, ['case:a', 'default']],
    ['set_variable', { assignments: [{ name: 'x', value: '1' }] }, ['default']],
    ['delay', { seconds: 1 }, ['default']],
    ['business_hours', { timezone: 'UTC', days: {} }, ['open', 'closed']],
    ['http_request', { url: 'https://a.example' }, ['success', 'error']],
    ['handoff', {}, []],
    ['end', {}, []],
  ];
  for (const [type, data, expected] of outcomes) {
    it(`of type ${type}: ${expected.join(', ') || 'none'}`, () => {
      const parsed = parseNode({ id: 'n', type, data });
      if (parsed.problems) throw new Error(parsed.problems.join());
      expect(outcomesOf(parsed.node)).to.deep.equal(expected);
      // The default edge stands for each outcome without an edge, where there are any.
      const wrong = wrongAt(type, data, 'n -> e').filter((text) => text.includes('no outcome'));
      expect(wrong).to.have.length(expected.length > 0 ? 0 : 1);
      expect(wrongAt(type, data, 'n -nothing-> e').join()).to.match(/has no outcome "nothing"/);
    });
  }
});
