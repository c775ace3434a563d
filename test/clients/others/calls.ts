import { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import * as cloud from '@whatsapp-cloudapi/client';
import { WhatsAppAPI } from 'whatsapp-api-js';
import * as wa from 'whatsapp-api-js/messages';

// Each type of message that three clients of others know, as their users write it.

export const CUSTOMER = '447700900123';
const to = `+${CUSTOMER}`;
const link = 'https://shop.example/a.png';
const shop = 'https://shop.example/orders/7';

/** Where a client calls, with which token, from which number, a message and a file that there are. */
export interface At {
  baseUrl: string;
  token: string;
  from: string;
  messageId: string;
  mediaId: string;
}

export type Calls = Readonly<Record<string, (at: At) => Promise<unknown>>>;

const picture = () => new Blob(['the bytes'], { type: 'image/png' });

const kapso = ({ baseUrl, token }: At) => new WhatsAppClient({ baseUrl, accessToken: token });
type KapsoMessages = WhatsAppClient['messages'];
/** Calls one method of kapso's messages with the number, the recipient and `rest`. */
const byMessages =
  <M extends keyof KapsoMessages>(method: M, rest: (at: At) => object) =>
  (at: At): Promise<unknown> => {
    const messages = kapso(at).messages as unknown as Record<
      M,
      (input: object) => Promise<unknown>
    >;
    return messages[method]({ phoneNumberId: at.from, to, ...rest(at) });
  };

const reaction = (emoji: string) =>
  byMessages('sendReaction', ({ messageId }) => ({ reaction: { messageId, emoji } }));
const button = { type: 'button' };
const payload = { type: 'payload', payload: 'yes' };
/** Fresh, as clients may write into it. */
const hello = () => ({
  type: 'body' as const,
  parameters: [{ type: 'text' as const, text: 'Mia' }],
});

export const byKapso: Calls = {
  'a text': byMessages('sendText', () => ({ body: 'Hi', previewUrl: true })),
  'a reply': byMessages('sendText', (at) => ({ body: 'Hi', contextMessageId: at.messageId })),
  'a picture': byMessages('sendImage', () => ({ image: { link, caption: 'This' } })),
  'a picture by its id': byMessages('sendImage', (at) => ({ image: { id: at.mediaId } })),
  'a recording': byMessages('sendAudio', () => ({ audio: { link, voice: true } })),
  'a document': byMessages('sendDocument', () => ({ document: { link, filename: 'a.pdf' } })),
  'a film': byMessages('sendVideo', () => ({ video: { link, caption: 'That' } })),
  'a sticker': byMessages('sendSticker', () => ({ sticker: { link } })),
  'a place': byMessages('sendLocation', () => ({
    location: { latitude: 1.5, longitude: 2.5, name: 'Shop', address: '1 High Street' },
  })),
  'a card': byMessages('sendContacts', () => ({
    contacts: [
      {
        name: { formattedName: 'Mia Ray', firstName: 'Mia' },
        phones: [{ phone: '+447700900555', type: 'WORK', waId: '447700900555' }],
        emails: [{ email: 'mia@shop.example', type: 'WORK' }],
        addresses: [{ street: '1 High Street', city: 'Leeds', countryCode: 'GB', type: 'HOME' }],
        org: { company: 'Shop', department: 'Help', title: 'Agent' },
        urls: [{ url: shop, type: 'WORK' }],
        birthday: '1990-01-31',
      },
    ],
  })),
  'a reaction': reaction('👍'),
  'a reaction taken back': reaction(''),
  'a template': byMessages('sendTemplate', () => ({
    template: {
      name: 'hello',
      language: { code: 'en', policy: 'deterministic' },
      components: [hello()],
    },
  })),
  'a template with buttons': byMessages('sendTemplate', () => ({
    template: {
      name: 'buttons',
      language: { code: 'en' },
      components: [
        hello(),
        { ...button, subType: 'quick_reply', index: 0, parameters: [payload] },
        { ...button, subType: 'url', index: 1, parameters: [{ type: 'text', text: '7' }] },
      ],
    },
  })),
  buttons: byMessages('sendInteractiveButtons', () => ({
    bodyText: 'Pick',
    footerText: 'Today',
    header: { type: 'image', image: { link } },
    buttons: [{ id: 'yes', title: 'Yes' }],
  })),
  'a list': byMessages('sendInteractiveList', () => ({
    bodyText: 'Pick',
    buttonText: 'Choose',
    header: { type: 'text', text: 'All' },
    sections: [{ title: 'All', rows: [{ id: '1', title: 'One', description: 'The first' }] }],
  })),
  'a product': byMessages('sendInteractiveProduct', () => ({
    bodyText: 'This one',
    catalogId: '900',
    productRetailerId: 'sku-1',
  })),
  'a list of products': byMessages('sendInteractiveProductList', () => ({
    bodyText: 'These',
    header: { type: 'text', text: 'New' },
    catalogId: '900',
    sections: [{ title: 'Shoes', productItems: [{ productRetailerId: 'sku-1' }] }],
  })),
  'a catalogue': byMessages('sendInteractiveCatalogMessage', () => ({
    bodyText: 'Look',
    parameters: { thumbnailProductRetailerId: 'sku-1' },
  })),
  'a flow': byMessages('sendInteractiveFlow', () => ({
    bodyText: 'Fill it in',
    parameters: {
      flowId: '700',
      flowCta: 'Open',
      flowToken: 't',
      flowMessageVersion: '3',
      flowAction: 'navigate',
      flowActionPayload: { screen: 'FIRST' },
    },
  })),
  'an address form': byMessages('sendInteractiveAddress', () => ({
    bodyText: 'Where to?',
    parameters: { country: 'IN', values: { name: 'Mia', phoneNumber: '+919812345678' } },
  })),
  'a request for a place': byMessages('sendInteractiveLocationRequest', () => ({
    bodyText: 'Where are you?',
    parameters: { requestMessage: 'Where are you?' },
  })),
  'a request to call': byMessages('sendInteractiveCallPermission', () => ({
    bodyText: 'May we call?',
    parameters: { phoneNumber: to },
  })),
  'a link': byMessages('sendInteractiveCtaUrl', () => ({
    bodyText: 'Look',
    parameters: { displayText: 'Open', url: shop },
  })),
  'a carousel': byMessages('sendInteractiveCarousel', () => ({
    bodyText: 'Look',
    cards: [0, 1].map((cardIndex) => ({
      cardIndex,
      header: { type: 'image', image: { link } },
      bodyText: 'This',
      action: { displayText: 'Open', url: shop },
    })),
  })),
  'a read receipt': (at) =>
    kapso(at).messages.markRead({ phoneNumberId: at.from, messageId: at.messageId }),
  'a typing indicator': (at) =>
    kapso(at).messages.markRead({
      phoneNumberId: at.from,
      messageId: at.messageId,
      typingIndicator: { type: 'text' },
    }),
  'an upload': (at) =>
    kapso(at).media.upload({
      phoneNumberId: at.from,
      type: 'image/png',
      file: picture(),
      fileName: 'a.png',
    }),
};

/** What each call of `@whatsapp-cloudapi/client` takes. */
const common = ({ baseUrl, token: accessToken, from }: At) => ({ baseUrl, accessToken, from, to });
const buttons = [{ id: 'yes', title: 'Yes' }];
const flow = { bodyText: 'Fill it in', flowToken: 't', flowId: '700', flowCta: 'Open' };
const template = () => ({ templateName: 'hello', languageCode: 'en', components: [hello()] });

export const byCloudApi: Calls = {
  'a text': (at) =>
    cloud.sendTextMessage({ ...common(at), text: 'Hi', bizOpaqueCallbackData: '7' }),
  'a picture': (at) =>
    cloud.sendImageMessage({ ...common(at), mediaId: at.mediaId, caption: 'This' }),
  buttons: (at) =>
    cloud.sendButtonsMessage({ ...common(at), bodyText: 'Pick', buttons, headerText: 'Ours' }),
  'buttons below a document': (at) =>
    cloud.sendButtonsMessage({
      ...common(at),
      bodyText: 'Pick',
      buttons,
      headerDocument: { link },
    }),
  'a list': (at) =>
    cloud.sendListMessage({
      ...common(at),
      bodyText: 'Pick',
      buttonText: 'Choose',
      sections: [{ title: 'All', rows: [{ id: '1', title: 'One' }] }],
    }),
  'a link': (at) =>
    cloud.sendCTAURLMessage({ ...common(at), bodyText: 'Look', buttonText: 'Open', url: shop }),
  'a flow': (at) =>
    cloud.sendFlowMessage({ ...common(at), ...flow, flowAction: 'navigate', screen: 'FIRST' }),
  'a flow that asks its server': (at) =>
    cloud.sendFlowMessage({ ...common(at), ...flow, flowAction: 'data_exchange' }),
  'a template': (at) => cloud.sendTemplateMessage({ ...common(at), ...template() }),
  'a template in reply': (at) =>
    cloud.sendTemplateMessage({ ...common(at), ...template(), replyToMessageId: at.messageId }),
  'a read receipt': (at) => cloud.markMessageRead({ ...common(at), messageId: at.messageId }),
  'an upload': (at) => cloud.uploadMedia({ ...common(at), file: picture() }),
};

const apiJs = ({ baseUrl, token }: At) =>
  new WhatsAppAPI({
    token,
    secure: false,
    v: 'v25.0',
    ponyfill: {
      fetch: ((url: string, init: RequestInit) =>
        fetch(url.replace('https://graph.facebook.com', baseUrl), init)) as typeof fetch,
    },
  });
type Sent = Parameters<WhatsAppAPI['sendMessage']>[2];
const send =
  (message: (at: At) => Sent) =>
  (at: At): Promise<unknown> =>
    apiJs(at).sendMessage(at.from, to, message(at));

const helloBody = () => new wa.BodyComponent(new wa.BodyParameter('Mia'));

export const byApiJs: Calls = {
  'a text': send(() => new wa.Text('Hi', true)),
  'a reply': (at) => apiJs(at).sendMessage(at.from, to, new wa.Text('Hi'), at.messageId, 'order 7'),
  'a picture': send(() => new wa.Image(link, false, 'This')),
  'a picture by its id': send((at) => new wa.Image(at.mediaId, true)),
  'a recording': send(() => new wa.Audio(link, false, true)),
  'a document': send(() => new wa.Document(link, false, 'Bill', 'a.pdf')),
  'a film': send(() => new wa.Video(link, false, 'That')),
  'a sticker': send(() => new wa.Sticker(link)),
  'a place': send(() => new wa.Location(1.5, 2.5, 'Shop')),
  'a card': send(
    () =>
      new wa.Contacts([
        new wa.Name('Mia Ray', 'Mia'),
        new wa.Phone('+447700900555', 'WORK', '447700900555'),
        new wa.Email('mia@shop.example', 'WORK'),
        new wa.Organization('Shop', 'Help', 'Agent'),
        new wa.Url(shop, 'WORK'),
        new wa.Birthday('1990', '01', '31'),
      ]),
  ),
  'a reaction': send((at) => new wa.Reaction(at.messageId, '👍')),
  'a reaction taken back': send((at) => new wa.Reaction(at.messageId)),
  'a template': send(
    () => new wa.Template('hello', new wa.Language('en', 'deterministic'), helloBody()),
  ),
  'a template with buttons': send(() => {
    const [yes, open] = [new wa.PayloadComponent('yes'), new wa.URLComponent('7')];
    return new wa.Template('buttons', 'en', helloBody(), yes, open);
  }),
  buttons: send(
    () =>
      new wa.Interactive(
        new wa.ActionButtons(new wa.Button('yes', 'Yes')),
        new wa.Body('Pick'),
        new wa.Header(new wa.Image(link)),
        new wa.Footer('Today'),
      ),
  ),
  'a list': send(
    () =>
      new wa.Interactive(
        new wa.ActionList('Choose', new wa.ListSection('All', new wa.Row('1', 'One', 'The first'))),
        new wa.Body('Pick'),
        new wa.Header('All'),
      ),
  ),
  'a catalogue': send(
    () => new wa.Interactive(new wa.ActionCatalog(new wa.Product('sku-1')), new wa.Body('Look')),
  ),
  'a product': send(
    () => new wa.Interactive(new wa.ActionProduct(new wa.CatalogProduct('sku-1', '900'))),
  ),
  'a list of products': send(
    () =>
      new wa.Interactive(
        new wa.ActionProductList('900', new wa.ProductSection('Shoes', new wa.Product('sku-1'))),
        new wa.Body('These'),
        new wa.Header('New'),
      ),
  ),
  'a link': send(() => new wa.Interactive(new wa.ActionCTA('Open', shop), new wa.Body('Look'))),
  'a flow': send(
    () =>
      new wa.Interactive(
        new wa.ActionNavigateFlow('t', '700', 'Open', 'FIRST'),
        new wa.Body('Fill it in'),
      ),
  ),
  'a flow that asks its server': send(
    () =>
      new wa.Interactive(
        new wa.ActionDataExchangeFlow('t', '700', 'Open'),
        new wa.Body('Fill it in'),
      ),
  ),
  'a request for a place': send(
    () => new wa.Interactive(new wa.ActionLocation(), new wa.Body('Where are you?')),
  ),
  'a request to call': send(
    () => new wa.Interactive(new wa.ActionCallPermission(), new wa.Body('May we call?')),
  ),
  'a request for a number': send(
    () => new wa.Interactive(new wa.ActionContactRequest(), new wa.Body('Your number?')),
  ),
  'a read receipt': (at) => apiJs(at).markAsRead(at.from, at.messageId),
  'a typing indicator': (at) => apiJs(at).markAsRead(at.from, at.messageId, 'text'),
  'an upload': (at) => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', 'image/png');
    form.set('file', picture(), 'a.png');
    return apiJs(at).uploadMedia(at.from, form);
  },
  'the look at a file': (at) => apiJs(at).retrieveMedia(at.mediaId),
};
