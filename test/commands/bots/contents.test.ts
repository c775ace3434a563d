import { expect } from 'chai';
import { graph, node, play } from './graphs.ts';

const hello = { text: 'hello' };
const button = (id: string, title: string) => ({ id, title });

/** What the node of `around` sends when a run comes to it. */
const contentOf = (type: string, data: unknown, variables: Record<string, string> = {}) => {
  const assignments = Object.entries({ none: '', ...variables });
  const set = node('set', 'set_variable', {
    assignments: assignments.map(([name, value]) => ({ name, value })),
  });
  return play(graph([set, node('it', type, data)], 'set -> it'), [hello]).transcript[1]?.content;
};
/** What an interactive message holds. */
const interactiveIn = (content: ReturnType<typeof contentOf>) =>
  content?.interactive as { header?: unknown; action: { sections: unknown } };
/** What the customer is shown of a node that comes first. */
const shownOf = (type: string, data: unknown) =>
  play(graph([node('it', type, data)]), [hello]).transcript[1];

describe('bots: what each node sends', () => {
  it('message', () => {
    const data = { text: 'Hi {{contact.name}}, {{vars.a}}', previewUrl: true };
    const content = { type: 'text', body: 'Hi Asha, x', previewUrl: true };
    expect(contentOf('message', data, { a: 'x' })).to.deep.equal(content);
  });

  const image = { mediaType: 'image', id: '77' };

  it('media', () => {
    const data = {
      mediaType: 'document',
      link: 'https://a.example/{{vars.a}}.pdf',
      caption: '{{vars.a}}',
      filename: '{{vars.a}}.pdf',
    };
    const filled = { caption: 'b c', filename: 'b c.pdf', link: 'https://a.example/b%20c.pdf' };
    const content = { type: 'media', ...data, ...filled };
    expect(contentOf('media', data, { a: 'b c' })).to.deep.equal(content);
    const kept = { ...image, caption: '{{vars.none}}' };
    expect(contentOf('media', kept)).to.deep.equal({ type: 'media', ...image });
  });

  it('media, whose caption is what the customer reads, if there is one', () => {
    const named = { type: 'image', text: 'A', content: { type: 'media', ...image, caption: 'A' } };
    expect(shownOf('media', { ...image, caption: ' A {{vars.no}} ' })).to.deep.include(named);
    const bare = { type: 'image', text: null, content: { type: 'media', ...image } };
    expect(shownOf('media', image)).to.deep.include(bare);
  });

  it('location, whose name is what the customer reads', () => {
    const place = { latitude: 18.52, longitude: 73.85, address: 'Road' };
    const [name, text] = ['Shop of {{contact.name}}', 'Shop of Asha'];
    const content = { type: 'location', ...place, name: text };
    expect(shownOf('location', { ...place, name })).to.deep.include({ text, content });
  });

  it('template by name, each value on one line', () => {
    const body = (...texts: string[]) => ({
      type: 'body',
      parameters: texts.map((text) => ({ type: 'text', text })),
    });
    const data = { name: 'hello', components: [body('{{vars.a}}', '{{vars.no}}')] };
    const content = { type: 'template', language: 'en_US', components: [body('one two', '-')] };
    const filled = contentOf('template', data, { a: 'one\ntwo' });
    expect(filled).to.deep.equal({ ...content, name: 'hello' });
  });

  it('template by name, with parts without placeholders unchanged', () => {
    const part = { type: 'body', parameters: [], note: '', long: 'x'.repeat(2000), n: [1, null] };
    const components = [part];
    expect(contentOf('template', { name: 'hello', components })).to.deep.include({ components });
  });

  it('template by name, with values of 1024 characters down to a depth of 16', () => {
    const nested = (depth: number, inner: unknown): unknown =>
      depth === 0 ? inner : nested(depth - 1, [inner]);
    const contentWith = (inner: unknown) =>
      contentOf('template', { name: 'hello', components: [{ v: inner }] }, { a: 'y'.repeat(4000) });
    expect(contentWith('{{vars.a}}')).to.deep.include({ components: [{ v: 'y'.repeat(1024) }] });
    const deepest = nested(14, '{{vars.a}}');
    const [filled, cut] = [nested(14, 'y'.repeat(1024)), nested(14, null)];
    expect(contentWith(deepest)).to.deep.include({ components: [{ v: filled }] });
    expect(contentWith(nested(14, ['z']))).to.deep.include({ components: [{ v: cut }] });
  });

  it('template by event, with values of 1024 characters', () => {
    const data = { event: 'order_shipped', variables: { orderId: '{{vars.a}}' } };
    const content = contentOf('template', data, { a: 'y'.repeat(4000) });
    expect((content as { parameters: string[] }).parameters[0]).to.equal('y'.repeat(1024));
  });

  it('template by event for a code, which is marked as one', () => {
    const data = { event: 'otp_verification', variables: { otp: '735184' } };
    expect(contentOf('template', data)).to.include({ authentication: true });
  });

  it('template by event, its variables in their order', () => {
    const variables = { awbCode: 'AWB{{vars.a}}', orderId: 7 };
    expect(shownOf('template', { event: 'order_shipped', variables })).to.deep.include({
      type: 'template',
      text: 'Your order 7 has been shipped with tracking number AWB. Track it here: - . Thank you.',
      content: {
        type: 'notification',
        name: 'order_shipped',
        language: 'en_US',
        authentication: false,
        parameters: ['7', 'AWB', '-'],
      },
    });
  });

  it('buttons', () => {
    const data = {
      text: 'Pick, {{contact.name}}',
      header: 'Menu',
      footer: 'Bye',
      buttons: [button('a', 'A {{vars.a}}'), button('b', 'B')],
    };
    expect(contentOf('buttons', data, { a: 'very long words indeed' })).to.deep.equal({
      type: 'interactive',
      interactive: {
        type: 'button',
        header: { type: 'text', text: 'Menu' },
        body: { text: 'Pick, Asha' },
        footer: { text: 'Bye' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'a', title: 'A very long words in' } },
            { type: 'reply', reply: { id: 'b', title: 'B' } },
          ],
        },
      },
    });
    const headerOf = (header: object) =>
      interactiveIn(contentOf('buttons', { text: 't', header, buttons: [button('a', 'A')] }))
        .header;
    const image = { link: 'https://a.example/x.png' };
    expect(headerOf({ type: 'image', ...image })).to.deep.equal({ type: 'image', image });
    const video = { id: '77' };
    expect(headerOf({ type: 'video', ...video })).to.deep.equal({ type: 'video', video });
  });

  it('list', () => {
    const small = { id: 's', title: 'Small' };
    const medium = { id: 'm', title: 'Medium' };
    const described = (row: object, description: string) => ({ ...row, description });
    const rows = [described(small, 'fits {{vars.a}}'), described(medium, '{{vars.none}}')];
    const data = { text: 'Size?', buttonLabel: 'Choose', sections: [{ title: 'Sizes', rows }] };
    expect(contentOf('list', data, { a: 'me' })).to.deep.equal({
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Size?' },
        action: {
          button: 'Choose',
          sections: [{ title: 'Sizes', rows: [described(small, 'fits me'), medium] }],
        },
      },
    });
  });

  it('list, with a header, a footer and several sections', () => {
    const sections = (description: string) =>
      ['A', 'B'].map((title) => ({ title, rows: [{ id: title, title, description }] }));
    const parts = { text: 'Size?', header: 'Menu', footer: 'Bye', buttonLabel: 'Choose' };
    const interactiveOf = (given: object[]) =>
      interactiveIn(contentOf('list', { ...parts, sections: given }, { a: 'me' }));
    expect(interactiveOf(sections(' {{vars.a}} '))).to.deep.equal({
      type: 'list',
      header: { type: 'text', text: 'Menu' },
      body: { text: 'Size?' },
      footer: { text: 'Bye' },
      action: { button: 'Choose', sections: sections('me') },
    });
    const untitled = [{ rows: [{ id: 'a', title: 'A' }] }];
    expect(interactiveOf(untitled).action.sections).to.deep.equal(untitled);
  });

  it('question', () => {
    const content = { type: 'text', body: 'Age, Asha?', previewUrl: false };
    expect(contentOf('question', { text: 'Age, {{contact.name}}?' })).to.deep.equal(content);
  });
});
