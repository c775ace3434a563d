import type { Content } from '../../events/content.ts';
import { findEvent } from '../sending/catalog.ts';
import { fillVariables, renderPreview } from '../sending/variables.ts';
import { limits } from './node-fields.ts';
import type { BotNode, DataOf } from './nodes.ts';
import {
  hasPlaceholder,
  render,
  renderDeep,
  renderParameter,
  renderUrl,
  renderVisible,
  type Scope,
} from './template.ts';

/** A message that a bot is about to send. */
export interface Outgoing {
  content: Content;
  /** The text that the customer reads, if any. */
  text: string | null;
  /** Key of the event of the catalog, if any. */
  event: string | null;
}

const COMPONENT_DEPTH_MAX = 16;

const outgoing = (content: Content, text: string | null): Outgoing => ({
  content,
  text,
  event: null,
});

export const textMessage = (template: string, scope: Scope, previewUrl = false): Outgoing => {
  const body = renderVisible(template, scope, limits.text);
  return outgoing({ type: 'text', body, previewUrl }, body);
};

const mediaMessage = (data: DataOf<'media'>, scope: Scope): Outgoing => {
  const { mediaType, link, id, caption, filename } = data;
  const shown = caption === undefined ? '' : render(caption, scope, limits.caption).trim();
  const content: Content = {
    type: 'media',
    mediaType,
    ...(link !== undefined && { link: renderUrl(link, scope, limits.url) }),
    ...(id !== undefined && { id }),
    ...(shown !== '' && { caption: shown }),
    ...(filename !== undefined && { filename: renderVisible(filename, scope, limits.filename) }),
  };
  return outgoing(content, shown || null);
};

const locationMessage = (data: DataOf<'location'>, scope: Scope): Outgoing => {
  const { latitude, longitude, name, address } = data;
  const place = {
    ...(name !== undefined && { name: renderVisible(name, scope, limits.place) }),
    ...(address !== undefined && { address: renderVisible(address, scope, limits.place) }),
  };
  return outgoing({ type: 'location', latitude, longitude, ...place }, place.name ?? null);
};

const catalogMessage = (
  event: string,
  variables: Readonly<Record<string, string | number | boolean>>,
  scope: Scope,
): Outgoing => {
  const entry = findEvent(event)!;
  const rendered = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? render(value, scope, limits.parameter) : value,
    ]),
  );
  const { parameters } = fillVariables(entry, rendered);
  const content: Content = {
    type: 'notification',
    name: entry.templateName,
    language: entry.language,
    authentication: entry.category === 'AUTHENTICATION',
    parameters,
  };
  return { content, text: renderPreview(entry, parameters), event };
};

const templateMessage = (data: DataOf<'template'>, scope: Scope): Outgoing => {
  if ('event' in data) return catalogMessage(data.event, data.variables, scope);
  const renderText = (text: string) =>
    hasPlaceholder(text) ? renderParameter(text, scope, limits.parameter) : text;
  const components = renderDeep(data.components, renderText, COMPONENT_DEPTH_MAX) as unknown[];
  return outgoing({ type: 'template', name: data.name, language: data.language, components }, null);
};

const footerOf = (footer: string | undefined, scope: Scope) =>
  footer === undefined ? {} : { footer: { text: renderVisible(footer, scope, limits.footer) } };

const textHeader = (text: string, scope: Scope) => ({
  type: 'text',
  text: renderVisible(text, scope, limits.header),
});

const buttonsHeader = (header: DataOf<'buttons'>['header'], scope: Scope) => {
  if (header === undefined) return {};
  if (typeof header === 'string') return { header: textHeader(header, scope) };
  const { type, link, id } = header;
  const media = link === undefined ? { id } : { link: renderUrl(link, scope, limits.url) };
  return { header: { type, [type]: media } };
};

const buttonsMessage = (data: DataOf<'buttons'>, scope: Scope): Outgoing => {
  const text = renderVisible(data.text, scope, limits.body);
  const buttons = data.buttons.map(({ id, title }) => ({
    type: 'reply',
    reply: { id, title: renderVisible(title, scope, limits.buttonTitle) },
  }));
  const interactive = {
    type: 'button',
    ...buttonsHeader(data.header, scope),
    body: { text },
    ...footerOf(data.footer, scope),
    action: { buttons },
  };
  return outgoing({ type: 'interactive', interactive }, text);
};

const listMessage = (data: DataOf<'list'>, scope: Scope): Outgoing => {
  const text = renderVisible(data.text, scope, limits.body);
  const sections = data.sections.map(({ title, rows }) => ({
    ...(title !== undefined && { title: renderVisible(title, scope, limits.sectionTitle) }),
    rows: rows.map((row) => {
      const description = render(row.description ?? '', scope, limits.rowDescription).trim();
      return {
        id: row.id,
        title: renderVisible(row.title, scope, limits.rowTitle),
        ...(description !== '' && { description }),
      };
    }),
  }));
  const interactive = {
    type: 'list',
    ...(data.header !== undefined && { header: textHeader(data.header, scope) }),
    body: { text },
    ...footerOf(data.footer, scope),
    action: { button: renderVisible(data.buttonLabel, scope, limits.buttonTitle), sections },
  };
  return outgoing({ type: 'interactive', interactive }, text);
};

/** The message that a node sends on entry; undefined for nodes that send none. */
export const messageOf = (node: BotNode, scope: Scope): Outgoing | undefined => {
  switch (node.type) {
    case 'message':
      return textMessage(node.data.text, scope, node.data.previewUrl);
    case 'media':
      return mediaMessage(node.data, scope);
    case 'location':
      return locationMessage(node.data, scope);
    case 'template':
      return templateMessage(node.data, scope);
    case 'buttons':
      return buttonsMessage(node.data, scope);
    case 'list':
      return listMessage(node.data, scope);
    case 'question':
      return textMessage(node.data.text, scope);
    default:
      return undefined;
  }
};
