import { expect } from 'chai';
import { validateGraph } from '../../../src/commands/bots/validate.ts';
import { edge, graph, hi, node, problemsOf } from './graphs.ts';

const button = (id: string, title = id) => ({ id, title });
const row = (id: string, change = {}) => ({ id, title: id, ...change });

describe('bots: a valid graph', () => {
  it('takes every type of node with all that it may hold', () => {
    const template = { name: 'hello', language: 'en_US', components: [{ type: 'body' }] };
    const link = 'https://a.example/{{vars.f}}';
    const place = { latitude: 18.5, longitude: 73.8, name: 'Shop', address: 'Road' };
    const sections = [{ rows: [row('a', { description: 'd' })] }];
    const asked = { saveAs: 'age', validation: { kind: 'regex', pattern: '\\d+' }, maxRetries: 3 };
    const rules = [{ variable: 'vars.age', op: 'greater_than', value: 17 }];
    const cases = [{ id: 'one', value: '1' }];
    const days = { mon: [['09:00', '18:00']], sat: [] };
    const body = { method: 'POST', headers: { 'X-A': '1' }, body: { a: 1 } };
    const nodes = [
      node('start', 'start'),
      node('message', 'message', { text: 'Hi {{contact.name}}', previewUrl: true }),
      node('media', 'media', { mediaType: 'document', link, caption: 'c', filename: 'f.pdf' }),
      node('location', 'location', place),
      node('named', 'template', template),
      node('event', 'template', { event: 'order_shipped', variables: { orderId: '{{vars.o}}' } }),
      node('buttons', 'buttons', { text: 't', header: 'h', footer: 'f', buttons: [button('a')] }),
      node('list', 'list', { text: 't', buttonLabel: 'Pick', sections }),
      node('question', 'question', { text: 'Age?', errorText: 'No', ...asked }),
      node('condition', 'condition', { match: 'any', rules }),
      node('switch', 'switch', { variable: 'message.text', cases }),
      node('set', 'set_variable', { assignments: [{ name: 'x', value: '{{message.text}}' }] }),
      node('delay', 'delay', { seconds: 86_400 }),
      node('hours', 'business_hours', { timezone: 'Asia/Kolkata', days }),
      node('call', 'http_request', { url: link, ...body, timeoutMs: 10_000, saveAs: 'r' }),
      node('handoff', 'handoff', { minutes: 30 }),
      node('end', 'end'),
    ];
    const chain = nodes.map(({ id }) => String(id));
    const edges = chain.slice(1, 15).map((id, index) => `${chain[index]} -> ${id}`);
    const whole = graph(
      nodes,
      ...edges,
      'buttons -button:a-> list',
      'buttons -other-> end',
      'buttons -timeout-> handoff',
      'list -row:a-> question',
      'question -invalid-> message',
      'condition -true-> switch',
      'condition -false-> end',
      'switch -case:one-> set',
      'named -failed-> end',
      'hours -open-> call',
      'hours -closed-> end',
      'call -success-> buttons',
      'call -error-> end',
    );
    expect(problemsOf(whole)).to.deep.equal([]);
    expect(validateGraph(whole.nodes, whole.edges).valid).to.equal(true);
  });

  it('begins without a start node at the node without an edge to it', () => {
    expect(problemsOf(graph([hi('a'), hi('b')], 'a -> b'))).to.deep.equal([]);
  });
});

describe('bots: problems of a graph', () => {
  it('names nodes that cannot be run', () => {
    const odd = [{ type: 'end' }, { id: '', type: 'end' }, { id: 'c' }];
    const nodes = [node('a', 'start'), node('b', 'teleport'), ...odd, hi('a')];
    expect(problemsOf(graph(nodes, 'a -> b', 'b -> c'))).to.deep.equal([
      'a: several nodes have this id',
      'b: the node\'s type "teleport" is not known',
      '*: nodes[2]: the node has no id',
      '*: nodes[3]: the node has no id',
      "c: the node's type is not known",
    ]);
  });

  it('names ids that come again in the order in which they do', () => {
    const nodes = ['a', 'b', 'c', 'b', 'a', 'b'].map(hi);
    const again = problemsOf(graph(nodes)).filter((text) => text.includes('several nodes'));
    expect(again).to.deep.equal(['b: several nodes have this id', 'a: several nodes have this id']);
  });

  it('names the first 1000 problems', () => {
    const rules = Array.from({ length: 5 }, () => ({}));
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, at) => node(`n${at}`, 'condition', { rules }));
    expect(problemsOf(graph(nodes(90)))).to.have.length(900 + 89);
    expect(problemsOf(graph(nodes(150)))).to.have.length(1000);
  });

  it('shows 300 characters of an outcome', () => {
    const stored = graph([node('s', 'start'), hi('m')], 's -> m', `m -${'x'.repeat(301)}-> m`);
    const shown = `a node of type message has no outcome "${'x'.repeat(300)}" here`;
    expect(problemsOf(stored).some((text) => text.endsWith(shown))).to.equal(true);
  });

  it('names what no graph can hold by its place in the lists', () => {
    const { problems } = validateGraph([hi('a'), 7], ['a -> b']);
    const places = problems.map(({ message }) => message.split(':')[0]);
    expect(places).to.deep.equal(['nodes.1', 'edges.0']);
  });

  it('names edges that lead nowhere or leave by no outcome', () => {
    const picks = node('b', 'buttons', { text: 't', buttons: [button('y')] });
    const nodes = [node('a', 'start'), picks, node('c', 'end')];
    const first = ['a -> b', 'b -button:n-> c', 'b -button:y-> c', 'c -> a', 'x -> a', 'a -> x'];
    const edges = [...[...first, 'a -> b'].map(edge), { id: 'e', source: 1, target: 'b' }];
    expect(problemsOf({ nodes, edges })).to.deep.equal([
      'a -> b: several edges have this id',
      'b -button:n-> c: a node of type buttons has no outcome "button:n" here',
      'c -> a: a node of type end has no outcome "default" here',
      'x -> a: it comes from a node that is not there',
      'a -> x: it goes to a node that is not there',
      'a -> x: another edge leaves the same node by the outcome "default"',
      'a -> b: another edge leaves the same node by the outcome "default"',
      'e: source, target and sourceHandle must be texts',
    ]);
  });

  it('names what has no single beginning', () => {
    expect(problemsOf(graph([]))).to.deep.equal(['*: the graph has no start']);
    const another = (id: string) => `${id}: the graph has several starts`;
    const two = graph([node('a', 'start'), node('b', 'start')]);
    expect(problemsOf(two)).to.deep.equal([another('b')]);
    const three = graph([hi('a'), hi('b'), hi('c')]);
    expect(problemsOf(three)).to.deep.equal([another('b'), another('c')]);
    const asks = (id: string) => node(id, 'question', { text: '?' });
    const round = graph([asks('a'), asks('b')], 'a -> b', 'b -> a');
    const noStart = '*: the graph has no start: every node has an edge to it';
    expect(problemsOf(round)).to.deep.equal([noStart]);
  });

  it('names nodes that cannot be reached', () => {
    const stored = graph([node('s', 'start'), hi('a'), hi('b'), hi('c')], 's -> a', 'b -> c');
    expect(problemsOf(stored)).to.deep.equal([
      'b: the node cannot be reached',
      'c: the node cannot be reached',
    ]);
  });

  it('names each cycle in which nothing waits, once', () => {
    const call = node('d', 'http_request', { url: 'https://a.example' });
    const nodes = [node('s', 'start'), hi('a'), hi('b'), hi('c'), call];
    const edges = ['s -> a', 'a -> b', 'b -> a', 'b -x-> c', 'd -> d', 'c -> d'];
    const problems = problemsOf(graph(nodes, ...edges));
    expect(problems.filter((text) => text.includes('cycle'))).to.deep.equal([
      'a: a cycle goes through this node in which nothing waits',
      'd: a cycle goes through this node in which nothing waits',
    ]);
  });

  it('checks a bounded number of patterns', () => {
    const rules = Array(20).fill({ variable: 'vars.x', op: 'matches', value: '(' });
    const nodes = ['a', 'b', 'c'].map((id) => node(id, 'condition', { rules }));
    const problems = problemsOf(graph(nodes, 'a -> b', 'b -> c'));
    expect(problems.filter((text) => text.includes('cannot be read'))).to.have.length(50);
    expect(problems).to.include('*: the graph holds more than 50 patterns');
    const fewer = node('c', 'condition', { rules: rules.slice(0, 10) });
    const checked = problemsOf(graph([...nodes.slice(0, 2), fewer], 'a -> b', 'b -> c'));
    expect(checked).to.have.length(50);
    expect(checked.every((text) => text.includes('cannot be read'))).to.equal(true);
  });
});
