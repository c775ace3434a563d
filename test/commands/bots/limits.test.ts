import { expect } from 'chai';
import { isOpen } from '../../../src/commands/bots/hours.ts';
import { readInbound } from '../../../src/commands/bots/inbound.ts';
import { type NodeType, parseNode } from '../../../src/commands/bots/nodes.ts';
import { unrolledSize } from '../../../src/commands/bots/rules.ts';
import { variablesProblem } from '../../../src/commands/bots/run.ts';
import { graph, hi, node, problemsOf } from './graphs.ts';

const x = (length: number) => 'x'.repeat(length);
const list = <T>(length: number, one: (at: number) => T) =>
  Array.from({ length }, (_, at) => one(at));
const entries = (length: number) => Object.fromEntries(list(length, (at) => [`k${at}`, '1']));
const choice = (id: string, change: object = {}) => ({ id, title: id.slice(0, 9), ...change });
const rows = (length: number) => list(length, (at) => choice(`r${at}`));
const buttons = [choice('a')];
const sections = [{ rows: rows(1) }];
const buttonsOf = (change: object) => ({ text: 't', buttons, ...change });
const listOf = (change: object) => ({ text: 't', buttonLabel: 'b', sections, ...change });
const url = (length: number) => 'https://a.example/'.padEnd(length, 'x');
const titled = (at: number) => ({ title: `t${at}`, rows: [choice(`r${at}`)] });
const rowOf = (change: object) => listOf({ sections: [{ rows: [choice('a', change)] }] });
const callOf = (change: object) => ({ url: url(30), ...change });
const assign = (length: number, nameAt: (at: number) => string) => ({
  assignments: list(length, (at) => ({ name: nameAt(at), value: '1' })),
});
const media = { mediaType: 'document', id: '1' };
const rule = { variable: 'message.text', op: 'equals', value: 'x' };
const asked = { text: '?' };
const minute = (at: number) => `00:${String(at).padStart(2, '0')}`;
const switchOf = (length: number, idAt: (at: number) => string) => ({
  variable: 'message.text',
  cases: list(length, (at) => ({ id: idAt(at), value: '1' })),
});
const hoursOf = (mon: unknown) => ({ timezone: 'UTC', days: { mon } });
const intervals = (length: number) => list(length, (at) => [minute(2 * at), minute(2 * at + 1)]);

/** What a node may hold: of each thing so much and no more. */
const most: [type: NodeType, what: string, max: number, data: (size: number) => object][] = [
  ['message', 'text', 4096, (size) => ({ text: x(size) })],
  ['media', 'caption', 1024, (size) => ({ ...media, caption: x(size) })],
  ['media', 'filename', 240, (size) => ({ ...media, filename: x(size) })],
  ['media', 'id', 256, (size) => ({ mediaType: 'image', id: x(size) })],
  ['media', 'link', 2048, (size) => ({ mediaType: 'image', link: url(size) })],
  ['location', 'latitude', 90, (latitude) => ({ latitude, longitude: 0 })],
  ['location', 'latitude below zero', 90, (size) => ({ latitude: -size, longitude: 0 })],
  ['location', 'longitude', 180, (longitude) => ({ latitude: 0, longitude })],
  ['location', 'longitude below zero', 180, (size) => ({ latitude: 0, longitude: -size })],
  ['location', 'name', 1000, (size) => ({ latitude: 0, longitude: 0, name: x(size) })],
  ['location', 'address', 1000, (size) => ({ latitude: 0, longitude: 0, address: x(size) })],
  ['template', 'name', 512, (size) => ({ name: x(size) })],
  ['template', 'language', 20, (size) => ({ name: 'a', language: x(size) })],
  ['template', 'components', 20, (size) => ({ name: 'a', components: list(size, () => ({})) })],
  ['template', 'variables', 50, (size) => ({ event: 'order_shipped', variables: entries(size) })],
  ['template', 'variable', 4096, (size) => ({ event: 'order_shipped', variables: { a: x(size) } })],
  ['buttons', 'text', 1024, (size) => buttonsOf({ text: x(size) })],
  ['buttons', 'header', 60, (size) => buttonsOf({ header: x(size) })],
  ['buttons', 'footer', 60, (size) => buttonsOf({ footer: x(size) })],
  ['buttons', 'buttons', 3, (size) => buttonsOf({ buttons: rows(size) })],
  ['buttons', 'id', 256, (size) => buttonsOf({ buttons: [choice(x(size))] })],
  ['buttons', 'title', 20, (size) => buttonsOf({ buttons: [choice('a', { title: x(size) })] })],
  ['list', 'text', 1024, (size) => listOf({ text: x(size) })],
  ['list', 'header', 60, (size) => listOf({ header: x(size) })],
  ['list', 'footer', 60, (size) => listOf({ footer: x(size) })],
  ['list', 'label', 20, (size) => listOf({ buttonLabel: x(size) })],
  ['list', 'rows', 10, (size) => listOf({ sections: [{ rows: rows(size) }] })],
  ['list', 'sections', 10, (size) => listOf({ sections: list(size, titled) })],
  ['list', 'row id', 200, (size) => listOf({ sections: [{ rows: [choice(x(size))] }] })],
  ['list', 'row title', 24, (size) => rowOf({ title: x(size) })],
  ['list', 'row description', 72, (size) => rowOf({ description: x(size) })],
  ['list', 'section title', 24, (size) => listOf({ sections: [{ ...titled(0), title: x(size) }] })],
  ['question', 'text', 4096, (size) => ({ text: x(size) })],
  ['question', 'error text', 4096, (size) => ({ ...asked, errorText: x(size) })],
  ['question', 'retries', 10, (maxRetries) => ({ ...asked, maxRetries })],
  ['condition', 'rules', 20, (size) => ({ rules: list(size, () => rule) })],
  ['condition', 'value', 4096, (size) => ({ rules: [{ ...rule, value: x(size) }] })],
  ['switch', 'cases', 20, (size) => switchOf(size, (at) => `c${at}`)],
  ['switch', 'case id', 200, (size) => switchOf(1, () => x(size))],
  ['set_variable', 'assignments', 20, (size) => assign(size, (at) => `v${at}`)],
  ['delay', 'seconds', 86_400, (seconds) => ({ seconds })],
  ['business_hours', 'intervals', 10, (size) => hoursOf(intervals(size))],
  ['http_request', 'url', 2048, (size) => ({ url: url(size) })],
  ['http_request', 'headers', 20, (size) => callOf({ headers: entries(size) })],
  ['http_request', 'header name', 100, (size) => callOf({ headers: { [x(size)]: '1' } })],
  // The text as JSON, with its two quotes.
  ['http_request', 'body', 16_384, (size) => callOf({ body: x(size - 2) })],
  ['http_request', 'milliseconds', 10_000, (timeoutMs) => callOf({ timeoutMs })],
  ['handoff', 'minutes', 43_200, (minutes) => ({ minutes })],
];

describe('bots: how much a node may hold', () => {
  for (const [type, what, max, data] of most) {
    it(`${type}: ${what} ${max}`, () => {
      expect(parseNode({ id: 'n', type, data: data(max) }).problems).to.equal(undefined);
      expect(parseNode({ id: 'n', type, data: data(max + 1) }).problems).to.be.an('array');
    });
  }

  const least: [NodeType, (size: number) => object][] = [
    ['delay', (seconds) => ({ seconds })],
    ['handoff', (minutes) => ({ minutes })],
    ['http_request', (timeoutMs) => callOf({ timeoutMs })],
    ['buttons', (size) => buttonsOf({ buttons: rows(size) })],
    ['list', (size) => listOf({ sections: [{ rows: rows(size) }] })],
    ['condition', (size) => ({ rules: list(size, () => rule) })],
    ['media', (size) => ({ mediaType: 'image', id: x(2 * size - 1) })],
    ['template', (size) => ({ name: 'a', language: x(size + 1) })],
    ['question', (size) => ({ ...asked, maxRetries: size - 1 })],
    ['list', (size) => listOf({ sections: sections.slice(0, size) })],
    ['list', (size) => rowOf({ id: x(size) })],
    ['buttons', (size) => buttonsOf({ buttons: [choice('a', { id: x(size) })] })],
    ['switch', (size) => switchOf(size, () => 'a')],
    ['switch', (size) => switchOf(1, () => x(size))],
    ['set_variable', (size) => assign(size, () => 'a')],
  ];
  for (const [type, data] of least) {
    it(`${type}: and no less`, () => {
      expect(parseNode({ id: 'n', type, data: data(1) }).problems).to.equal(undefined);
      if (type !== 'media') {
        expect(parseNode({ id: 'n', type, data: data(0) }).problems).to.have.length(1);
      }
    });
  }

  it('fills in the defaults of empty fields', () => {
    const dataOf = (type: NodeType, data: object) => {
      const parsed = parseNode({ id: 'n', type, data });
      return 'node' in parsed ? parsed.node?.data : parsed.problems;
    };
    expect(dataOf('question', asked)).to.deep.equal({
      ...asked,
      validation: { kind: 'any' },
      errorText: 'Sorry, that does not look right. Please try again.',
      maxRetries: 3,
    });
    expect(dataOf('handoff', {})).to.deep.equal({ minutes: 60 });
    const call = { method: 'GET', url: url(30), headers: {}, timeoutMs: 5000 };
    expect(dataOf('http_request', { url: url(30) })).to.deep.equal(call);
    const template = { name: 'a', language: 'en_US', components: [] };
    expect(dataOf('template', { name: 'a' })).to.deep.equal(template);
    expect(dataOf('message', { text: 't' })).to.deep.equal({ text: 't', previewUrl: false });
    expect(dataOf('condition', { rules: [rule] })).to.include({ match: 'all' });
    const { validation } = dataOf('question', { ...asked, validation: {} }) as never;
    expect(validation).to.deep.equal({ kind: 'any' });
  });

  it('names ten problems of a node at most', () => {
    const problems = (size: number) =>
      parseNode({ id: 'n', type: 'condition', data: { rules: list(size, () => ({})) } }).problems;
    expect(problems(5)).to.have.length(10);
    expect(problems(6)).to.have.length(10);
  });

  it('shows 50 characters of a type that is not known', () => {
    const { problems } = parseNode({ id: 'n', type: 'y'.repeat(51) });
    expect(problems).to.deep.equal([`the node's type "${'y'.repeat(50)}" is not known`]);
  });

  it('lets no header through that decides how a request travels', () => {
    const reserved =
      'connection content-length expect host keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade';
    for (const name of reserved.split(' ')) {
      const data = { url: url(30), headers: { [name.toUpperCase()]: '1' } };
      expect(parseNode({ id: 'n', type: 'http_request', data }).problems, name).to.have.length(1);
    }
  });
});

describe('bots: cycles', () => {
  const waiting: [NodeType, object, string][] = [
    ['buttons', buttonsOf({}), 'button:a'],
    ['list', listOf({}), 'row:r0'],
    ['question', asked, 'default'],
    ['delay', { seconds: 1 }, 'default'],
  ];
  for (const [type, data, outcome] of waiting) {
    it(`may go through a node of type ${type}`, () => {
      const nodes = [node('s', 'start'), node('w', type, data), hi('m')];
      const round = graph(nodes, 's -> w', `w -${outcome}-> m`, 'm -> w');
      expect(problemsOf(round)).to.deep.equal([]);
    });
  }
});

describe('bots: the input that counts', () => {
  it('is 8,192 characters of a text', () => {
    const textOf = (body: string) =>
      readInbound({ type: 'text', text: { body } }, { messageId: 'm', revision: 0 })?.text;
    expect(textOf(x(8192))).to.equal(x(8192));
    expect(textOf(x(8193))).to.equal(x(8192));
  });

  it('is every kind of message that says something', () => {
    const spoken =
      'text interactive button image video audio document sticker location contacts order';
    for (const type of spoken.split(' ')) {
      const inbound = readInbound({ type }, { messageId: 'm', revision: 3 });
      const kind = type === 'button' ? 'button' : 'message';
      const read = { messageId: 'm', revision: 3, kind, text: '', choice: null };
      expect(inbound, type).to.deep.equal(read);
    }
  });
});

describe('bots: the size of a pattern', () => {
  it('counts unrolled repeats', () => {
    for (const [pattern, size] of [
      ['', 0],
      ['abc', 3],
      ['a*', 2],
      ['a{10}', 10],
      ['a{2,7}b', 8],
      ['a{0}', 1],
      ['(ab)', 3],
      ['(a{10}){10}', 110],
      ['[a-z]{5}', 5],
      ['\\pL', 21],
      ['[\\pL\\pN]', 41],
      ['\\d{3}', 3],
      ['a)b', 2],
      ['c(ab)', 4],
      ['_{3}', 3],
      ['{9}', 0],
      ['({9}', 1],
    ] as const) {
      expect(unrolledSize(pattern), pattern).to.equal(size);
    }
  });
});

describe('bots: business hours', () => {
  const SATURDAY = Date.parse('2026-11-21T00:00:00.000Z');
  const at = (day: number, clock: string) =>
    SATURDAY + day * 86_400_000 + Date.parse(`1970-01-01T${clock}:00.000Z`);
  const open = (days: Parameters<typeof isOpen>[0]['days'], now: number, timezone = 'UTC') =>
    isOpen({ timezone, days }, now);

  it('begin with the first minute of an interval and end before its last', () => {
    const [morning, afternoon] = [['09:00', '13:00'] as const, ['14:00', '18:00'] as const];
    const days = { sat: [morning, afternoon] };
    const times = ['08:59', '09:00', '12:59', '13:00', '13:59', '14:00', '17:59', '18:00'];
    const openAt = times.filter((clock) => open(days, at(0, clock)));
    expect(openAt).to.deep.equal(['09:00', '12:59', '14:00', '17:59']);
    expect(open(days, at(1, '10:00'))).to.equal(false);
  });

  it('go over midnight into the next day, also from Sunday to Monday', () => {
    const sat = { sat: [['22:00', '02:00']] } as const;
    const times = [at(0, '21:59'), at(0, '22:00'), at(1, '01:59'), at(1, '02:00')];
    expect(times.filter((now) => open(sat, now))).to.deep.equal(times.slice(1, 3));
    expect(open(sat, at(0, '01:00'))).to.equal(false);
    const sun = { sun: [['22:00', '02:00']] } as const;
    expect(open(sun, at(2, '01:00'))).to.equal(true);
    expect(open({ sat: [['00:00', '24:00']] }, at(0, '23:59'))).to.equal(true);
    expect(open({ sat: [['00:00', '24:00']] }, at(0, '00:00'))).to.equal(true);
    expect(open({ sat: [['20:00', '24:00']] }, at(1, '00:00'))).to.equal(false);
  });

  it('are none where they begin when they end', () => {
    const days = { sat: [['09:00', '09:00']] } as const;
    for (const clock of ['08:59', '09:00', '09:01']) {
      expect([open(days, at(0, clock)), open(days, at(1, clock))]).to.deep.equal([false, false]);
    }
  });

  it('are those of the place', () => {
    const days = { sat: [['05:30', '05:31']] } as const;
    expect(open(days, at(0, '00:00'), 'Asia/Kolkata')).to.equal(true);
    expect(open(days, at(0, '05:30'), 'Asia/Kolkata')).to.equal(false);
  });

  it('follow summer time', () => {
    const york = { timezone: 'America/New_York', days: { mon: [['09:00', '17:00']] } } as const;
    expect(isOpen(york, Date.parse('2026-03-02T13:30:00Z'))).to.equal(false);
    expect(isOpen(york, Date.parse('2026-03-09T13:30:00Z'))).to.equal(true);
  });

  for (const [at, day] of ['sat', 'sun', 'mon', 'tue', 'wed', 'thu', 'fri'].entries()) {
    it(`know ${day}`, () => {
      const noon = SATURDAY + (at + 0.5) * 86_400_000;
      expect(open({ [day]: [['12:00', '12:01']] }, noon)).to.equal(true);
      expect(open({ [day]: [['12:00', '12:01']] }, noon + 86_400_000)).to.equal(false);
    });
  }
});

describe('bots: the variables of a run', () => {
  it('are 50, and 32,768 characters of JSON together, at most', () => {
    expect(variablesProblem(entries(50))).to.equal(null);
    expect(variablesProblem(entries(51))).to.equal('more than 50 variables');
    const frame = JSON.stringify({ a: '' }).length;
    expect(variablesProblem({ a: x(32_768 - frame) })).to.equal(null);
    expect(variablesProblem({ a: x(32_769 - frame) })).to.match(/longer than 32768 characters/);
  });
});
