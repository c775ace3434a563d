import { expect } from 'chai';
import fc from 'fast-check';
import { compileGraph, Edges, graphBytes, Nodes } from '../../../src/commands/bots/graph.ts';
import { validateGraph } from '../../../src/commands/bots/validate.ts';
import { graph, hi, node, problemsOf } from './graphs.ts';

describe('bots: storing a graph', () => {
  it('keeps any objects as they came', () => {
    const odd = [{ id: 7, data: null, selected: true, '': { deep: [[1]] } }];
    expect(Nodes.parse(odd)).to.deep.equal(odd);
    expect(Edges.parse(odd)).to.deep.equal(odd);
  });

  it('is bounded', () => {
    expect(Nodes.safeParse(Array(200).fill({})).success).to.equal(true);
    expect(Edges.safeParse(Array(400).fill({})).success).to.equal(true);
    expect(Nodes.safeParse(Array(201).fill({})).success).to.equal(false);
    expect(Edges.safeParse(Array(401).fill({})).success).to.equal(false);
    expect(Nodes.safeParse(['text']).success).to.equal(false);
    expect(Nodes.safeParse({}).success).to.equal(false);
    expect(graphBytes({ nodes: [], edges: [{ a: 'é' }] })).to.equal('[[],[{"a":"é"}]]'.length + 1);
    const noted = (note: string) => ({ nodes: [{ ...hi('a'), note }], edges: [] });
    const sized = (bytes: number) => noted('x'.repeat(bytes - graphBytes(noted(''))));
    expect(problemsOf(sized(262_144))).to.deep.equal([]);
    const tooLarge = ['*: the graph is larger than 262144 bytes'];
    expect(problemsOf(sized(262_145))).to.deep.equal(tooLarge);
  });

  it('reports the problems of any JSON, and never throws', () => {
    const types =
      'start message buttons list question condition switch template http_request business_hours constructor';
    const type = fc.constantFrom(...types.split(' '));
    const id = fc.constantFrom('a', 'b', 'c', '__proto__');
    const value = fc.jsonValue();
    const listOf = (one: fc.Arbitrary<unknown>) =>
      fc.oneof(value, fc.array(fc.oneof(fc.dictionary(fc.string(), value), one), { maxLength: 8 }));
    const nodesOrNot = listOf(fc.record({ id, type, data: value }));
    const edgesOrNot = listOf(fc.record({ id, source: id, target: id, sourceHandle: value }));
    fc.assert(
      fc.property(nodesOrNot, edgesOrNot, (nodes, edges) => {
        const { valid, problems } = validateGraph(nodes, edges);
        expect(valid).to.equal(problems.length === 0);
        for (const { message } of problems) expect(message).to.be.a('string').that.is.not.empty;
      }),
    );
  });

  it('survives nesting that cannot even be written', () => {
    let deep: unknown = [];
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(validateGraph([{ id: 'a', type: 'start', data: { deep } }], []).valid).to.equal(false);
  });
});

describe('bots: following a graph', () => {
  const followed = compileGraph(graph([hi('a')], 'a -x-> b', 'a -> c', 'a -x-> d', 'b -y-> a'));

  it('follows the edge of the outcome, else the default edge, else none', () => {
    expect(followed.target('a', 'x')).to.equal('b');
    expect(followed.target('a', 'z')).to.equal('c');
    expect(followed.target('b', 'z')).to.equal(null);
    expect(followed.target('nobody', 'default')).to.equal(null);
  });

  it('parses a node once, and knows its size', () => {
    expect(followed.node('a')).to.equal(followed.node('a'));
    expect(followed.weight('a')).to.equal(JSON.stringify(hi('a')).length);
    expect([followed.weight('b'), followed.node('b')]).to.deep.equal([0, 'there is no such node']);
  });

  it('cuts an id that is too long for a node, so that no node has it', () => {
    const [long, longest] = ['x'.repeat(300), 'x'.repeat(200)];
    const nodes = [node('s', 'start'), hi(longest)];
    const edges = [{ source: 's', target: long }];
    expect(compileGraph({ nodes, edges }).target('s', 'default')).to.equal('x'.repeat(201));
    const fits = compileGraph({ nodes, edges: [{ source: 's', target: longest }] });
    expect(fits.target('s', 'default')).to.equal(longest);
    expect(compileGraph({ nodes: [hi(long)], edges: [] }).entries).to.deep.equal(['x'.repeat(201)]);
  });

  it('takes a handle that was left open for the default one', () => {
    for (const sourceHandle of [null, undefined, '', 'default']) {
      const edges = [{ source: 'a', target: 'b', sourceHandle }];
      const { target } = compileGraph({ nodes: [hi('a')], edges });
      expect(target('a', 'default')).to.equal('b');
    }
  });
});
