import { expect } from 'chai';
import { graph, node, problemsOf } from './graphs.ts';

/** What is wrong with the data of one node. */
const wrongIn = (type: string, data: unknown) =>
  problemsOf(graph([node('s', 'start'), node('n', type, data)], 's -> n'));

const button = (id: string, title = id) => ({ id, title });
const row = (id: string, change = {}) => ({ id, title: id, ...change });

describe('bots: the data of a node', () => {
  it('needs an id that is no longer than it should be', () => {
    expect(problemsOf(graph([node('x'.repeat(200), 'start')]))).to.be.empty;
    expect(problemsOf(graph([node('x'.repeat(201), 'start')])).join()).to.match(
      /id is longer than 200/,
    );
  });

  it('takes an empty text of an editor for one that was left open', () => {
    expect(wrongIn('media', { mediaType: 'image', id: '1', link: '', caption: null })).to.be.empty;
  });

  it('names what the provider would refuse', () => {
    for (const [type, data, expected] of [
      ['message', {}, /^n: data\.text: /],
      ['message', { text: 'x'.repeat(4097) }, /^n: data\.text: /],
      ['media', { mediaType: 'image' }, /either a link or an id/],
      [
        'media',
        { mediaType: 'image', id: '1', link: 'https://a.example' },
        /either a link or an id/,
      ],
      ['media', { mediaType: 'image', link: 'ftp://a.example' }, /data\.link: must be an http/],
      ['media', { mediaType: 'audio', id: '1', caption: 'c' }, /has a caption/],
      ['media', { mediaType: 'image', id: '1', filename: 'f' }, /has a filename/],
      ['location', { latitude: 91, longitude: 0 }, /data\.latitude/],
      ['template', { name: 'Not OK' }, /data\.name: must be a template name/],
      ['template', { event: 'no_such' }, /no event of the catalog/],
      ['buttons', { text: 't', buttons: [] }, /data\.buttons/],
      [
        'buttons',
        { text: 't', buttons: [button('a'), button('b'), button('c'), button('d')] },
        /data\.buttons/,
      ],
      ['buttons', { text: 't', buttons: [button('a'), button('a', 'b')] }, /different ids/],
      ['buttons', { text: 't', buttons: [button('a', 'x'), button('b', 'x')] }, /different titles/],
      ['buttons', { text: 't', buttons: [button('a', 'x'.repeat(21))] }, /longer than 20/],
      ['buttons', { text: 't', buttons: [button(' a')] }, /begin or end with a space/],
      ['buttons', { text: 't', footer: 'x'.repeat(61), buttons: [button('a')] }, /longer than 60/],
      ['buttons', { text: 'x'.repeat(1025), buttons: [button('a')] }, /longer than 1024/],
      [
        'list',
        {
          text: 't',
          buttonLabel: 'x',
          sections: [{ rows: Array.from({ length: 11 }, (_, n) => row(`r${n}`)) }],
        },
        /10 rows in all/,
      ],
      [
        'list',
        { text: 't', buttonLabel: 'x', sections: [{ rows: [row('a')] }, { rows: [row('b')] }] },
        /each have a title/,
      ],
      [
        'list',
        { text: 't', buttonLabel: 'x', sections: [{ rows: [row('a'), row('a')] }] },
        /different row ids/,
      ],
      [
        'list',
        {
          text: 't',
          buttonLabel: 'x',
          sections: [{ rows: [row('a', { description: 'x'.repeat(73) })] }],
        },
        /longer than 72/,
      ],
    ] as const) {
      expect(wrongIn(type, data).join('\n'), JSON.stringify(data)).to.match(expected);
    }
  });

  it('names problems that would stop a run', () => {
    for (const [type, data, expected] of [
      ['question', { text: '?', saveAs: 'vars.x' }, /bare name/],
      ['question', { text: '?', validation: { kind: 'regex' } }, /needs a pattern/],
      ['question', { text: '?', validation: { kind: 'regex', pattern: '(' } }, /cannot be read/],
      ['condition', { rules: [{ variable: 'x', op: 'equals', value: '1' }] }, /vars\.<name>/],
      ['condition', { rules: [{ variable: 'vars.x', op: 'equals' }] }, /needs a value/],
      [
        'condition',
        { rules: [{ variable: 'vars.x', op: 'matches', value: '(a)\\1' }] },
        /cannot be read/,
      ],
      ['condition', { rules: [] }, /data\.rules/],
      [
        'switch',
        {
          variable: 'vars.x',
          cases: [
            { id: 'a', value: '1' },
            { id: 'a', value: '2' },
          ],
        },
        /different ids/,
      ],
      ['set_variable', { assignments: [{ name: '__proto__', value: '1' }] }, /bare name/],
      ['delay', { seconds: 86_401 }, /data\.seconds/],
      ['business_hours', { timezone: 'Mars/Base', days: {} }, /time zone/],
      ['business_hours', { timezone: 'UTC', days: { monday: [] } }, /monday/],
      ['business_hours', { timezone: 'UTC', days: { mon: [['9:00', '18:00']] } }, /such as 09:00/],
      ['business_hours', { timezone: 'UTC', days: { mon: [['24:00', '18:00']] } }, /such as 09:00/],
      ['business_hours', { timezone: 'UTC', days: { mon: [['09:00', '24:01']] } }, /such as 09:00/],
      ['business_hours', { timezone: 'UTC', days: { mon: [['09:00', '25:00']] } }, /such as 09:00/],
      ['business_hours', { timezone: 'UTC', days: { mon: [['09:60', '18:00']] } }, /such as 09:00/],
      ['http_request', { url: 'file:///etc/passwd' }, /http\(s\) URL/],
      ['http_request', { url: 'https://a.example', headers: { Host: 'b' } }, /cannot be set/],
      [
        'http_request',
        { url: 'https://a.example', headers: { A: 'a', Host: 'b' } },
        /cannot be set/,
      ],
      ['http_request', { url: 'https://a.example', headers: { 'a b': 'c' } }, /cannot be set/],
      ['http_request', { url: 'https://a.example', timeoutMs: 10_001 }, /data\.timeoutMs/],
      ['handoff', { minutes: 0 }, /data\.minutes/],
    ] as const) {
      expect(wrongIn(type, data).join('\n'), JSON.stringify(data)).to.match(expected);
    }
  });
});
