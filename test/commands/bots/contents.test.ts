import { expect } from 'chai';
import { graph, node, play } from './graphs.ts';

const hello = { text: 'hello' };
const button = (id: string, title: string) => ({ id, title });

/** What the node of `around` sends when a run comes to it. */
const contentOf = (type: string, data: unknown, variables: Record<string, string> = {}) => {
  const assignments = Object.entries({ none: '', ...variables }).map(([name, value]) => ({
    name,
    value,
  }));
  const stored = graph(
    [node('set', 'set_variable', { assignments }), node('it', type, data)],
    'set -> it',
  );
  return play(stored, [hello]).transcript[1]?.content;
};

describe('bots: what each node sends', () => {
  it('message', () =>
    expect(
      contentOf(
        'message',
        { text: 'Hi {{contact.name}}, {{vars.a}}', previewUrl: true },
        { a: 'x' },
      ),
    ).to.deep.equal({
      type: 'text',
      body: 'Hi Asha, x',
      previewUrl: true,
    }));

  it('media', () => {
    const data = {
      mediaType: 'document',
      link: 'https://a.example/{{vars.a}}.pdf',
      caption: '{{vars.a}}',
      filename: '{{vars.a}}.pdf',
    };
    expect(contentOf('media', data, { a: 'b c' })).to.deep.equal({
      type: 'media',
      mediaType: 'document',
      link: 'https://a.example/b%20c.pdf',
      caption: 'b c',
      filename: 'b c.pdf',
    });
    expect(
      contentOf('media', { mediaType: 'image', id: '77', caption: '{{vars.none}}' }),
    ).to.deep.equal({
      type: 'media',
      mediaType: 'image',
      id: '77',
    });
  });

  it('media, whose caption is what the customer reads, if there is one', () => {
    const entryOf = (data: object) =>
      play(graph([node('it', 'media', { mediaType: 'image', id: '77', ...data })]), [hello])
        .transcript[1];
    expect(entryOf({ caption: ' A {{vars.no}} ' })).to.deep.include({
      type: 'image',
      text: 'A',
      content: { type: 'media', mediaType: 'image', id: '77', caption: 'A' },
    });
    expect(entryOf({})).to.deep.include({
      type: 'image',
      text: null,
      content: { type: 'media', mediaType: 'image', id: '77' },
    });
  });

  it('location, whose name is what the customer reads', () => {
    const stored = graph([
      node('it', 'location', {
        latitude: 18.52,
        longitude: 73.85,
        name: 'Shop of {{contact.name}}',
        address: 'Road',
      }),
    ]);
    const place = { latitude: 18.52, longitude: 73.85, name: 'Shop of Asha', address: 'Road' };
    expect(play(stored, [hello]).transcript[1]).to.deep.include({
      text: 'Shop of Asha',
      content: { type: 'location', ...place },
    });
  });

  it('template by name, each value on one line', () => {
    const body = {
      type: 'body',
      parameters: [
        { type: 'text', text: '{{vars.a}}' },
        { type: 'text', text: '{{vars.no}}' },
      ],
    };
    expect(
      contentOf('template', { name: 'hello', components: [body] }, { a: 'one\ntwo' }),
    ).to.deep.equal({
      type: 'template',
      name: 'hello',
      language: 'en_US',
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'one two' },
            { type: 'text', text: '-' },
          ],
        },
      ],
    });
  });

  it('template by name, with parts without placeholders unchanged', () => {
    const components = [
      { type: 'body', parameters: [], note: '', long: 'x'.repeat(2000), n: [1, null] },
    ];
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
    const variables = { orderId: '{{vars.a}}' };
    const content = contentOf(
      'template',
      { event: 'order_shipped', variables },
      { a: 'y'.repeat(4000) },
    ) as { parameters: string[] };
    expect(content.parameters[0]).to.equal('y'.repeat(1024));
  });

  it('template by event for a code, which is marked as one', () => {
    const data = { event: 'otp_verification', variables: { otp: '735184' } };
    expect(contentOf('template', data)).to.include({ authentication: true });
  });

  it('template by event, its variables in their order', () => {
    const variables = { awbCode: 'AWB{{vars.a}}', orderId: 7 };
    const stored = graph([node('t', 'template', { event: 'order_shipped', variables })]);
    const { transcript } = play(stored, [hello]);
    expect(transcript[1]).to.deep.include({
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
    const header = { type: 'image', link: 'https://a.example/x.png' };
    expect(contentOf('buttons', { text: 't', header, buttons: [button('a', 'A')] }))
      .to.have.nested.property('interactive.header')
      .that.deep.equals({ type: 'image', image: { link: 'https://a.example/x.png' } });
    const kept = { type: 'video', id: '77' };
    expect(contentOf('buttons', { text: 't', header: kept, buttons: [button('a', 'A')] }))
      .to.have.nested.property('interactive.header')
      .that.deep.equals({ type: 'video', video: { id: '77' } });
  });

  it('list', () => {
    const sections = [
      {
        title: 'Sizes',
        rows: [
          { id: 's', title: 'Small', description: 'fits {{vars.a}}' },
          { id: 'm', title: 'Medium', description: '{{vars.none}}' },
        ],
      },
    ];
    expect(
      contentOf('list', { text: 'Size?', buttonLabel: 'Choose', sections }, { a: 'me' }),
    ).to.deep.equal({
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Size?' },
        action: {
          button: 'Choose',
          sections: [
            {
              title: 'Sizes',
              rows: [
                { id: 's', title: 'Small', description: 'fits me' },
                { id: 'm', title: 'Medium' },
              ],
            },
          ],
        },
      },
    });
  });

  it('list, with a header, a footer and several sections', () => {
    const sections = ['A', 'B'].map((title) => ({
      title,
      rows: [{ id: title, title, description: ' {{vars.a}} ' }],
    }));
    const data = { text: 'Size?', header: 'Menu', footer: 'Bye', buttonLabel: 'Choose', sections };
    expect(contentOf('list', data, { a: 'me' }))
      .to.have.property('interactive')
      .that.deep.equals({
        type: 'list',
        header: { type: 'text', text: 'Menu' },
        body: { text: 'Size?' },
        footer: { text: 'Bye' },
        action: {
          button: 'Choose',
          sections: ['A', 'B'].map((title) => ({
            title,
            rows: [{ id: title, title, description: 'me' }],
          })),
        },
      });
    const untitled = { ...data, sections: [{ rows: [{ id: 'a', title: 'A' }] }] };
    expect(contentOf('list', untitled))
      .to.have.nested.property('interactive.action.sections')
      .that.deep.equals(untitled.sections);
  });

  it('question', () =>
    expect(contentOf('question', { text: 'Age, {{contact.name}}?' })).to.deep.equal({
      type: 'text',
      body: 'Age, Asha?',
      previewUrl: false,
    }));
});
