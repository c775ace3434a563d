import { counts, lengths } from './message-limits.ts';

/** A value of an interactive message, and its path in words. */
type Found = readonly [path: string, value: unknown];

interface Rules {
  /** The longest text at each path; `[]` means every item of a list. */
  longest?: Readonly<Record<string, number>>;
  /** How many items may be at each path, in all lists together. */
  items?: Readonly<Record<string, { min?: number; max: number }>>;
  /** Paths at which no two values may be equal. */
  distinct?: readonly string[];
  /** Parts that the type does not take. */
  without?: readonly string[];
  /** The header may be nothing but a text. */
  textHeader?: true;
}

const common = { 'header.text': lengths.header, 'footer.text': lengths.footer };

const button: Rules = {
  longest: {
    'action.buttons[].reply.id': lengths.buttonId,
    'action.buttons[].reply.title': lengths.buttonTitle,
  },
  items: { 'action.buttons[]': { min: 1, max: counts.buttons } },
  distinct: ['action.buttons[].reply.id', 'action.buttons[].reply.title'],
};

const list: Rules = {
  longest: {
    'action.button': lengths.buttonTitle,
    'action.sections[].title': lengths.sectionTitle,
    'action.sections[].rows[].id': lengths.rowId,
    'action.sections[].rows[].title': lengths.rowTitle,
    'action.sections[].rows[].description': lengths.rowDescription,
  },
  items: {
    'action.sections[]': { min: 1, max: counts.sections },
    'action.sections[].rows[]': { max: counts.rows },
  },
  textHeader: true,
};

const productList: Rules = {
  longest: { 'action.sections[].title': lengths.sectionTitle },
  items: {
    'action.sections[]': { min: 1, max: counts.sections },
    'action.sections[].product_items[]': { max: counts.products },
  },
  textHeader: true,
};

/** The rules by type. A type without an entry has the common rules alone. */
const rulesByType: Readonly<Record<string, Rules>> = {
  button,
  list,
  cta_url: { longest: { 'action.parameters.display_text': lengths.buttonTitle } },
  flow: { longest: { 'action.parameters.flow_cta': lengths.buttonTitle } },
  request_contact_info: {},
  location_request_message: { without: ['header', 'footer'] },
  product: { without: ['header'] },
  product_list: productList,
  carousel: {
    longest: { 'action.cards[].body.text': lengths.body },
    items: { 'action.cards[]': counts.cards },
    without: ['header', 'footer'],
  },
};

const childOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

const step = ([path, value]: Found, part: string): Found[] => {
  const key = part.replace('[]', '');
  const child = childOf(value, key);
  if (child === undefined) return [];
  const name = `${path}.${key}`;
  if (!part.endsWith('[]')) return [[name, child]];
  return Array.isArray(child) ? child.map((item, at) => [`${name}[${at}]`, item]) : [];
};

/** The values that are there at a path. */
const find = (interactive: unknown, path: string): Found[] =>
  path
    .split('.')
    .reduce<Found[]>(
      (found, part) => found.flatMap((one) => step(one, part)),
      [['interactive', interactive]],
    );

const tooLong = (interactive: unknown, longest: Readonly<Record<string, number>>) => {
  for (const [path, max] of Object.entries(longest)) {
    const long = find(interactive, path).find(
      ([, value]) => typeof value === 'string' && value.length > max,
    );
    if (long) return `\`${long[0]}\` has more than ${max} characters, the provider's limit`;
  }
  return undefined;
};

const wrongCount = (interactive: unknown, items: NonNullable<Rules['items']>) => {
  for (const [path, { min = 0, max }] of Object.entries(items)) {
    const isThere = find(interactive, path.slice(0, -2)).some(([, value]) => Array.isArray(value));
    const count = find(interactive, path).length;
    if (!isThere || (count >= min && count <= max)) continue;
    const allowed = min > 0 ? `${min} to ${max}` : `at most ${max}`;
    return `\`interactive.${path}\` has ${count} items: the provider takes ${allowed}`;
  }
  return undefined;
};

const repeated = (interactive: unknown, distinct: readonly string[]) => {
  for (const path of distinct) {
    const values = find(interactive, path).map(([, value]) => value);
    if (new Set(values).size === values.length) continue;
    return `\`interactive.${path}\` has the same value twice, which the provider refuses`;
  }
  return undefined;
};

const unwantedPart = (interactive: unknown, type: string, { without = [], textHeader }: Rules) => {
  const part = without.find((one) => childOf(interactive, one) !== undefined);
  if (part) return `\`interactive.${part}\`: the provider takes none with type ${type}`;
  const header = childOf(childOf(interactive, 'header'), 'type');
  return textHeader && header !== undefined && header !== 'text'
    ? `\`interactive.header.type\`: the provider takes only \`text\` with type ${type}`
    : undefined;
};

const paddedId = (interactive: unknown) => {
  const padded = find(interactive, 'action.buttons[].reply.id').find(
    ([, id]) => typeof id === 'string' && id !== id.trim(),
  );
  return padded && `\`${padded[0]}\` begins or ends with a space, which the provider refuses`;
};

const FLOW_VERSION = '3';
const PICTOGRAPH = /\p{Extended_Pictographic}/u;

/** What a flow needs: the flow, its version, a label, and data that is not empty. */
const brokenFlow = (interactive: unknown) => {
  const action = childOf(interactive, 'action');
  const given = (key: string) => childOf(childOf(action, 'parameters'), key);
  const path = 'interactive.action.parameters';
  if (childOf(action, 'name') !== 'flow') return '`interactive.action.name` must be `flow`';
  if (given('flow_message_version') !== FLOW_VERSION) {
    return `\`${path}.flow_message_version\` must be the text \`${FLOW_VERSION}\``;
  }
  const names = ['flow_id', 'flow_name'].filter((key) => typeof given(key) === 'string');
  if (names.length !== 1) return `\`${path}\` needs exactly one of \`flow_id\` and \`flow_name\``;
  const label = given('flow_cta');
  if (typeof label !== 'string' || label === '') return `\`${path}.flow_cta\` is required`;
  if (PICTOGRAPH.test(label)) return `\`${path}.flow_cta\`: the provider takes no emoji here`;
  const data = childOf(given('flow_action_payload'), 'data');
  const isEmpty = typeof data === 'object' && data !== null && Object.keys(data).length === 0;
  return isEmpty
    ? `\`${path}.flow_action_payload.data\` is empty: the provider takes none or some`
    : undefined;
};

const untitledSection = (interactive: unknown) => {
  const sections = find(interactive, 'action.sections[]');
  if (sections.length < 2) return undefined;
  const untitled = sections.find(([, section]) => !childOf(section, 'title'));
  return untitled && `\`${untitled[0]}.title\`: the provider requires it with several sections`;
};

/**
 * The provider's rule that an interactive message breaks, in words. Only what is present counts: what
 * is missing is for the provider to refuse, because new types and fields pass through untouched. A flow is
 * looked at whole.
 */
export const brokenInteractiveRule = (interactive: Readonly<Record<string, unknown>>) => {
  const type = String(interactive.type);
  const rules = Object.hasOwn(rulesByType, type) ? rulesByType[type]! : {};
  const { longest = {}, items = {}, distinct = [] } = rules;
  const body = Object.hasOwn(rulesByType, type) ? { 'body.text': lengths.body } : {};
  return (
    tooLong(interactive, { ...common, ...body, ...longest }) ??
    wrongCount(interactive, items) ??
    repeated(interactive, distinct) ??
    unwantedPart(interactive, type, rules) ??
    (type === 'button' ? paddedId(interactive) : undefined) ??
    (type === 'list' ? untitledSection(interactive) : undefined) ??
    (type === 'flow' ? brokenFlow(interactive) : undefined)
  );
};
