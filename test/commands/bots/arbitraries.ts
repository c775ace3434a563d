import fc from 'fast-check';
import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import type { SimulatedMessage } from '../../../src/commands/bots/simulation.ts';

/** What a parser of JSON can hand over: no negative zero survives being written. */
const jsonValue = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const id = fc.constantFrom(...ids);
const text = fc.constantFrom(
  'hi',
  '{{contact.name}}',
  '{{vars.x}} {{vars.y.0}}',
  '{{message.text}}',
  '{{vars.no}}',
  'x'.repeat(900),
);
const short = fc.constantFrom('ok', '{{vars.x}}', '{{message.text}}', 'x'.repeat(20));
const x = '{{vars.x}}';
const path = fc.constantFrom('vars.x', 'vars.y', 'message.text', 'contact.name', 'contact.waId');
const name = fc.constantFrom('x', 'y', 'z');
const value = fc.oneof(text, fc.integer(), fc.boolean());
const one = fc.constant;
/** One to three of these. */
const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 });
const choices = fc.uniqueArray(fc.record({ id, title: short }), {
  selector: (choice) => choice.id,
  minLength: 1,
  maxLength: 3,
});
const pattern = fc.constantFrom('^a', '(a+)+$', '\\d', '(', '(a|b)*a(a|b){40}[c-d]', '{{vars.x}}');

/** Data that is mostly as it should be. */
const data: Record<string, fc.Arbitrary<unknown>> = {
  start: one({}),
  message: fc.record({ text }),
  media: fc.record({ mediaType: fc.constantFrom('image', 'audio'), id: one('1'), caption: text }),
  location: fc.record({
    // As JSON holds it: neither NaN nor the negative zero.
    latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
    longitude: one(0),
    name: short,
  }),
  template: fc.oneof(
    fc.record({ name: one('hello'), components: fc.array(fc.dictionary(name, jsonValue)) }),
    fc.record({ event: one('order_shipped'), variables: fc.dictionary(one('orderId'), value) }),
  ),
  buttons: fc.record({ text, buttons: choices }),
  list: fc.record({ text, buttonLabel: short, sections: fc.tuple(fc.record({ rows: choices })) }),
  question: fc.record({
    text,
    saveAs: name,
    errorText: text,
    maxRetries: fc.integer({ min: 0, max: 3 }),
    validation: fc.record({
      kind: fc.constantFrom('any', 'number', 'email', 'phone', 'date', 'regex'),
      pattern,
    }),
  }),
  condition: fc.record({
    match: fc.constantFrom('all', 'any'),
    rules: few(
      fc.record({
        variable: path,
        op: fc.constantFrom('equals', 'contains', 'greater_than', 'is_empty', 'matches'),
        value: fc.oneof(value, pattern),
      }),
    ),
  }),
  switch: fc.record({ variable: path, cases: fc.tuple(fc.record({ id, value })) }),
  set_variable: fc.record({ assignments: few(fc.record({ name, value })) }),
  delay: fc.record({ seconds: fc.integer({ min: 1, max: 4000 }) }),
  business_hours: one({ timezone: 'Asia/Kolkata', days: { sat: [['17:30', '18:00']] } }),
  http_request: fc.record({ url: fc.constantFrom(`https://a.example/${x}`, x), saveAs: name }),
  handoff: one({}),
  end: one({}),
  no_such: one({}),
};

const node = fc.constantFrom(...Object.keys(data)).chain((type) =>
  fc.record({
    type: one(type),
    data: fc.oneof({ weight: 20, arbitrary: data[type]! }, { weight: 1, arbitrary: jsonValue }),
  }),
);

const outcomes = 'default other timeout invalid failed true false success error open closed';
const outcome = fc.oneof(
  fc.constantFrom(...outcomes.split(' ')),
  id.map((choice) => `button:${choice}`),
  id.map((choice) => `row:${choice}`),
  one(null),
);

/** Graphs of a few nodes, most of which can be run for a while. */
export const anyGraph: fc.Arbitrary<StoredGraph> = fc
  .record({
    nodes: fc.array(node, { minLength: 1, maxLength: ids.length }),
    edges: fc.array(fc.record({ source: id, sourceHandle: outcome, target: id }), {
      minLength: 2,
      maxLength: 24,
    }),
  })
  .map(({ nodes, edges }) => ({
    nodes: [
      { id: 'start', type: 'start' },
      ...nodes.map((own, index) => ({ id: ids[index]!, ...own })),
    ],
    edges: [{ source: 'start', target: 'a' }, ...edges],
  }));

export const anyMessage: fc.Arbitrary<SimulatedMessage> = fc.oneof(
  fc.record({
    text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', '42', 'aaaa!')),
  }),
  fc.record({ buttonId: id }),
  fc.record({ rowId: id }),
  fc.record({ wait: fc.constantFrom(0, 1, 60, 1800, 4000) }),
);

export const anyResponses = fc.dictionary(
  id,
  fc.record({ status: fc.constantFrom(200, 204, 404, 500), body: jsonValue }),
);

const kindsBetween = Object.keys(data).filter(
  (type) => !['start', 'end', 'handoff', 'no_such'].includes(type),
);

/** Nodes in a row, many of which are all as they should be. */
export const anyChain: fc.Arbitrary<StoredGraph> = fc
  .array(
    fc
      .constantFrom(...kindsBetween)
      .chain((type) => fc.record({ type: one(type), data: data[type]! })),
    { minLength: 1, maxLength: ids.length - 1 },
  )
  .map((nodes) => ({
    nodes: nodes.map((own, index) => ({ id: ids[index]!, ...own })),
    edges: nodes.slice(1).map((_, index) => ({ source: ids[index], target: ids[index + 1] })),
  }));
