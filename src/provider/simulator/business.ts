import { asArray, asDigits, asRecord, asText, type Json } from '../shape.ts';
import { fieldsOf, type GraphAnswer, graphError, noSuchObject, ok } from './answers.ts';
import { type BusinessOf, remember, type SimulatedNumber, type World } from './world.ts';

// What a business sets for a number: profile, settings, blocked customers, QR codes.

const CODES_MAX = 2000;
const USERS_MAX = 1000;

const businessOf = (world: World, { phoneNumberId }: SimulatedNumber): BusinessOf => {
  const known = world.business.get(phoneNumberId);
  if (known) return known;
  const made = { profile: {}, settings: {}, blocked: new Map(), qrCodes: new Map() };
  remember(world.business, phoneNumberId, made);
  return made;
};

const required = (name: string): GraphAnswer =>
  graphError(100, { details: `The parameter ${name} is required.` });

const profileFields = [
  'about',
  'address',
  'description',
  'email',
  'profile_picture_url',
  'profile_picture_handle',
  'vertical',
  'websites',
] as const;

/** Keeps the known fields of a change; an unknown one is refused by name. */
const changed = (
  whole: Json,
  { messaging_product: _, ...change }: Json,
  fields: readonly string[],
): GraphAnswer => {
  const unknown = Object.keys(change).find((field) => !fields.includes(field));
  if (unknown !== undefined) return graphError(100, { details: `Unexpected key "${unknown}"` });
  Object.assign(whole, change);
  return ok({ success: true });
};

/** `GET|POST /<number>/whatsapp_business_profile`. */
export const readBusinessProfile = (
  world: World,
  number: SimulatedNumber,
  query: URLSearchParams,
): GraphAnswer => {
  const { profile } = businessOf(world, number);
  const whole = { messaging_product: 'whatsapp', ...profile };
  return ok({ data: [{ messaging_product: 'whatsapp', ...fieldsOf(whole, query, ['about']) }] });
};

export const setBusinessProfile = (
  world: World,
  number: SimulatedNumber,
  body: Json,
): GraphAnswer =>
  body.messaging_product === 'whatsapp'
    ? changed(businessOf(world, number).profile, body, profileFields)
    : required('messaging_product');

const settingsFields = [
  'calling',
  'payload_encryption',
  'storage_configuration',
  'user_identity_change',
] as const;

/** `GET|POST /<number>/settings`. */
export const readSettings = (world: World, number: SimulatedNumber): GraphAnswer =>
  ok({ calling: { status: 'DISABLED' }, ...businessOf(world, number).settings });

export const setSettings = (world: World, number: SimulatedNumber, body: Json): GraphAnswer =>
  changed(businessOf(world, number).settings, body, settingsFields);

/** Whether the business has blocked this customer. */
export const isBlocked = (world: World, { phoneNumberId }: SimulatedNumber, digits: string) =>
  world.business.get(phoneNumberId)?.blocked.has(digits) === true;

/** `GET /<number>/block_users`. */
export const listBlocked = (world: World, number: SimulatedNumber): GraphAnswer => {
  const users = [...businessOf(world, number).blocked.keys()];
  return ok({ data: users.map((wa_id) => ({ messaging_product: 'whatsapp', wa_id })) });
};

/** `POST|DELETE /<number>/block_users`. */
export const setBlocked = (
  world: World,
  number: SimulatedNumber,
  { body, blocks }: { body: Json; blocks: boolean },
): GraphAnswer => {
  if (body.messaging_product !== 'whatsapp') return required('messaging_product');
  const { blocked } = businessOf(world, number);
  const users = asArray(body.block_users).map((one) => asText(asRecord(one).user) ?? '');
  if (users.length === 0) return required('block_users');
  const changed = users.flatMap((input) => {
    const wa_id = asDigits(input);
    if (wa_id === null || blocked.size >= USERS_MAX) return [];
    if (blocks) blocked.set(wa_id, input);
    else blocked.delete(wa_id);
    return [{ input, wa_id }];
  });
  const key = blocks ? 'added_users' : 'removed_users';
  return ok({ messaging_product: 'whatsapp', block_users: { [key]: changed } });
};

const shownCode = (code: string, { prefilled_message }: { prefilled_message: string }) => ({
  code,
  prefilled_message,
  deep_link_url: `https://wa.me/message/${code}`,
});

/** `GET /<number>/message_qrdls`, of all codes or of one. */
export const readQrCodes = (
  world: World,
  number: SimulatedNumber,
  code: string | undefined,
): GraphAnswer => {
  const { qrCodes } = businessOf(world, number);
  const all = [...qrCodes].filter(([one]) => code === undefined || one === code);
  if (code !== undefined && all.length === 0) return noSuchObject(code);
  return ok({ data: all.map(([one, qr]) => shownCode(one, qr)) });
};

/** `POST /<number>/message_qrdls`: makes a code, or changes the text of one. */
export const setQrCode = (world: World, number: SimulatedNumber, body: Json): GraphAnswer => {
  const { qrCodes } = businessOf(world, number);
  const message = asText(body.prefilled_message);
  if (message === null) return required('prefilled_message');
  const known = asText(body.code);
  if (known !== null && !qrCodes.has(known)) return noSuchObject(known);
  if (qrCodes.size >= CODES_MAX) return graphError(100, { details: 'There are too many codes.' });
  const code = known ?? `QR${String(world.nextId()).padStart(12, '0')}`;
  const qr = { prefilled_message: message };
  qrCodes.set(code, qr);
  return ok(shownCode(code, qr));
};

/** `DELETE /<number>/message_qrdls/<code>`. */
export const removeQrCode = (
  world: World,
  number: SimulatedNumber,
  code: string | undefined,
): GraphAnswer =>
  code !== undefined && businessOf(world, number).qrCodes.delete(code)
    ? ok({ success: true })
    : noSuchObject(code ?? '');
