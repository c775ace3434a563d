import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeTypes } from '../../console/src/generated/tables.ts';
import { differencesOf } from '../../console/src/parts/bots/differences.ts';
import { graphOf, outcomesOf, storedOf, withData } from '../../console/src/parts/bots/graph.ts';
import { fieldsFor, onWay, valueIn, withValue } from '../../console/src/parts/bots/node-fields.ts';
import { problemIn, problemsElsewhere } from '../../console/src/parts/bots/problems.ts';
import * as nodes from '../../src/commands/bots/nodes.ts';
import { validateGraph } from '../../src/commands/bots/validate.ts';
import type { Json } from '../support/waybill.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/bots.md'), 'utf8');
const [, json = '[]'] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
const samples = JSON.parse(json) as Json[];
const stored = (one: Json[], edges: Json[] = []) =>
  storedOf(graphOf({ nodes: one, edges } as never));

const fieldsOf = (type: string, data: Json) => fieldsFor(nodeTypes[type]!.form, data);

describe('The forms of a bot’s nodes', () => {
  it('have a field for everything that docs/bots.md shows of a node', () => {
    for (const { id, type, data } of samples) {
      const names = fieldsOf(type, data).map(({ name }) => name.split('.')[0]);
      expect(names, id).to.include.members(Object.keys(data));
    }
  });

  it('begin with data that the service takes, and know the outcomes that it knows', () => {
    for (const [type, { example: data }] of Object.entries(nodeTypes)) {
      const { problems, node } = nodes.parseNode({ id: type, type, data }) as Json;
      expect(problems, type).to.equal(undefined);
      expect(outcomesOf(type, data as Json), type).to.deep.equal(nodes.outcomesOf(node));
    }
  });

  it('lose nothing that they do not know, wherever it is', () => {
    for (const sample of samples) {
      const extra = { mine: { deep: [1] } };
      const raw = {
        ...sample,
        position: { x: 1, y: 2 },
        data: { ...sample.data, ...extra },
        extra,
      };
      const edge = { id: 'e', source: sample.id, target: 'x', sourceHandle: 'y', label: 'mine' };
      expect(stored([raw], [edge])).to.deep.equal({ nodes: [raw], edges: [edge] });
      for (const { name, kind } of fieldsOf(sample.type, raw.data)) {
        if (kind === 'way') continue;
        const changed = withValue(raw.data, name, 'other');
        expect(valueIn(changed, name)).to.equal('other');
        const back = withValue(changed, name, valueIn(raw.data, name));
        expect(back, `${sample.id} ${name}`).to.deep.equal(raw.data);
      }
    }
    const question = { validation: { kind: 'any', mine: 1 }, mine: 2 };
    expect(withValue(question, 'validation.kind', 'email')).to.deep.equal({
      validation: { kind: 'email', mine: 1 },
      mine: 2,
    });
    const words = '';
    const ways = { id: { words, start: { id: '' } }, link: { words, start: { link: '' } } };
    expect(onWay({ link: 'x', caption: 'y', mine: 1 }, ways, 'id')).to.deep.equal({
      id: '',
      caption: 'y',
      mine: 1,
    });
  });

  it('show each problem at its field, and the others above', () => {
    const data = { text: ' ', buttons: [{ id: 'a', title: '' }], header: 7 };
    const { problems } = validateGraph([{ id: 'b', type: 'buttons', data }], []);
    const found = problems.map(({ message }) => problemIn(message));
    expect(found.map(({ path }) => path)).to.deep.equal(['text', 'header', 'buttons.0.title']);
    const fields = fieldsOf('buttons', data);
    expect(problemsElsewhere(found, fields)).to.deep.equal([]);
    expect(problemsElsewhere(found, fields.slice(0, 2))).to.deep.equal([
      'buttons.0.title: must not be blank',
    ]);
    const own = ['data: must have either a link or an id', 'the node cannot be reached'];
    expect(problemsElsewhere(own.map(problemIn), fields)).to.deep.equal([
      'must have either a link or an id',
      'the node cannot be reached',
    ]);
    const ofPattern = [problemIn('data.validation: needs a pattern')];
    const regex = fieldsOf('question', { validation: { kind: 'regex' } });
    expect(problemsElsewhere(ofPattern, regex)).to.deep.equal([]);
    expect(problemsElsewhere(ofPattern, fieldsOf('question', {}))).to.have.length(1);
  });

  it('keep an edge at its outcome while that is renamed, and drop it when the outcome goes', () => {
    const data = {
      text: 'Sure?',
      buttons: [
        { id: 'yes', title: 'Yes' },
        { id: 'no', title: 'No' },
      ],
    };
    const edges = ['button:yes', 'button:no', 'default'].map((sourceHandle, at) => ({
      id: `e${at}`,
      source: 'b',
      target: 'x',
      sourceHandle,
    }));
    const graph = graphOf({ nodes: [{ id: 'b', type: 'buttons', data }], edges } as never);
    const handles = (buttons: Json[]) =>
      withData(graph, 'b', { ...data, buttons }).edges.map(({ sourceHandle }) => sourceHandle);
    const [yes, no] = data.buttons;
    expect(handles([{ ...yes, id: 'y' }, no!])).to.deep.equal(['button:y', 'button:no', 'default']);
    expect(handles([no!, yes!])).to.deep.equal(['button:yes', 'button:no', 'default']);
    expect(handles([no!])).to.deep.equal(['button:no', 'default']);
    expect(handles([{ ...yes, id: 'no' }, no!])).to.deep.equal([
      'button:yes',
      'button:no',
      'default',
    ]);
  });
});

describe('Two graphs of a bot', () => {
  const say = (text: string, more: Json = {}) => ({
    id: 'say',
    type: 'message',
    data: { text, ...more },
  });
  const way = (target: string, sourceHandle = 'default') => ({
    id: `${sourceHandle} ${target}`,
    source: 'say',
    sourceHandle,
    target,
  });
  const between = (before: [Json[], Json[]], after: [Json[], Json[]]) => {
    const [one, other] = [before, after].map(([nodes, edges]) =>
      graphOf({ nodes, edges } as never),
    );
    return differencesOf(one!, other!).map(({ nodeId, kind, words }) => [nodeId, kind, ...words]);
  };

  it('differ by nodes, by what is in them, and by where they lead, in words', () => {
    const end = { id: 'end', type: 'end', data: {} };
    const buttons = { buttons: [{ id: 'a', title: 'A' }] };
    const changed = { buttons: [{ id: 'a', title: 'Aye' }] };
    expect(
      between(
        [
          [say('Hi', { ...buttons, old: 1 }), end],
          [way('end'), way('end', 'button:a')],
        ],
        [[say('Hello', { ...changed, previewUrl: true })], [way('say')]],
      ),
    ).to.deep.equal([
      [
        'say',
        'changed',
        'text “Hi” became “Hello”',
        'buttons 1 title “A” became “Aye”',
        'old “1” is gone',
        'previewUrl is now “true”',
        'leads to say instead of end',
        'on a leads nowhere any more, before to end',
      ],
      ['end', 'removed', 'end “”'],
    ]);
    expect(between([[], []], [[say('Hi')], []])).to.deep.equal([['say', 'added', 'message “Hi”']]);
  });

  it('are the same wherever their nodes lie', () => {
    const at = (x: number) => ({ ...say('Hi'), position: { x, y: 0 } });
    expect(between([[at(1)], []], [[at(2)], []])).to.deep.equal([]);
  });
});
