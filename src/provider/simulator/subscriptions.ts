import { asArray, asRecord, asText } from '../shape.ts';
import { type GraphAnswer, ok } from './answers.ts';
import type { Hooks } from './hooks.ts';
import { type App, remember, type World } from './world.ts';

/** The provider's only app, to which every token belongs. */
export const app: App = {
  id: '600000000000006',
  name: 'Simulated app',
  link: 'https://www.facebook.com/games/?app_id=600000000000006',
};

/**
 * Whether notifications of a business account go out. Outside strict mode they also do while nobody has
 * asked for the account's subscriptions, so that tests of webhooks need not subscribe.
 */
const isSubscribed = ({ subscriptions, settings }: World, wabaId: string): boolean =>
  subscriptions.get(wabaId) ?? !settings.strict;

/** Subscribes the app to a business account, or ends its subscription. */
export const setSubscription = (
  { subscriptions }: World,
  wabaId: string,
  isOn: boolean,
): GraphAnswer => {
  remember(subscriptions, wabaId, isOn);
  return ok({ success: true });
};

/** The subscribed apps of a business account, whose rules hold from the first question on. */
export const listSubscriptions = (world: World, wabaId: string): GraphAnswer => {
  const isOn = world.subscriptions.get(wabaId) ?? false;
  setSubscription(world, wabaId, isOn);
  return ok({ data: isOn ? [{ whatsapp_business_api_data: app }] : [] });
};

/** The app that a token belongs to, as `GET /debug_token` shows it. */
export const debugToken = (): GraphAnswer =>
  ok({
    data: {
      app_id: app.id,
      application: app.name,
      type: 'SYSTEM_USER',
      expires_at: 0,
      is_valid: true,
      scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    },
  });

/** Sends webhooks only for business accounts to which the app is subscribed. */
export const toSubscribers = (world: World, hooks: Hooks): Pick<Hooks, 'post'> => ({
  async post(payload) {
    const [entry] = asArray(asRecord(payload).entry);
    const wabaId = asText(asRecord(entry).id) ?? '';
    return isSubscribed(world, wabaId) ? hooks.post(payload) : null;
  },
});
