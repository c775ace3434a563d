interface Exception {
  /** Why the document is behind the provider here, or silent. */
  because: string;
  differences: readonly string[];
}

const MESSAGES = 'POST /{Version}/{Phone-Number-ID}/messages';
const TEMPLATES = '/{Version}/{WABA-ID}/message_templates';

/** Where the document of v23.0 (November 2025) and the provider differ, and the provider is right. */
export const exceptions: readonly Exception[] = [
  {
    because: 'Every error of a call about messages carries its explanation in error_data.',
    differences: [
      `${MESSAGES} answers 400: /error/error_data is unknown`,
      `POST ${TEMPLATES} answers 400: /error/error_data is unknown`,
      `DELETE ${TEMPLATES} answers 400: /error/error_data is unknown`,
    ],
  },
  {
    because: 'Every list and every object of the Graph API takes limit, after and fields.',
    differences: [
      'GET /{Version}/{TEMPLATE_ID} asks for ?fields, which is unknown',
      `GET ${TEMPLATES} asks for ?fields, which is unknown`,
      `GET ${TEMPLATES} asks for ?limit, which is unknown`,
      'GET /{Version}/{WABA-ID}/subscribed_apps asks for ?limit, which is unknown',
    ],
  },
  {
    because:
      'The document has no analytics, and knows no answer with the fields that were asked for.',
    differences: [
      'GET /{Version}/{WABA-ID} answers 200: /name is missing',
      'GET /{Version}/{WABA-ID} answers 200: /pricing_analytics is unknown',
    ],
  },
  {
    because: 'The app of a token belongs to the Graph API, which the document does not cover.',
    differences: ['GET /{Version}/app is not described'],
  },
  {
    because:
      'The schema of a number has six of its fields; the reference of the node has these too.',
    differences: [
      'GET /{Version}/{Phone-Number-ID} answers 200: /health_status is unknown',
      'GET /{Version}/{Phone-Number-ID} answers 200: /platform_type is unknown',
      'GET /{Version}/{Phone-Number-ID} answers 200: /status is unknown',
      'GET /{Version}/{WABA-ID}/phone_numbers answers 200: /data[]/platform_type is unknown',
    ],
  },
  {
    because: 'The state of a number that works is CONNECTED; the enum lacks it.',
    differences: [
      'GET /{Version}/{WABA-ID}/phone_numbers answers 200: /data[]/status breaks enum: "CONNECTED"',
    ],
  },
  {
    because:
      'Data of the sender, 512 characters, is documented elsewhere and comes back in statuses.',
    differences: [
      `${MESSAGES} sends: /biz_opaque_callback_data is unknown`,
      'a webhook: /entry[]/changes[]/value/statuses[]/biz_opaque_callback_data is unknown',
    ],
  },
  {
    because:
      'The schema of interactive messages lacks these two types, which are documented elsewhere.',
    differences: [
      `${MESSAGES} sends: /interactive/type breaks enum: "cta_url"`,
      `${MESSAGES} sends: /interactive/action breaks oneOf: {"name":"cta_url"}`,
      `${MESSAGES} sends: /interactive/type breaks enum: "location_request_message"`,
      `${MESSAGES} sends: /interactive/action breaks oneOf: {"name":"send_location"}`,
    ],
  },
  {
    because:
      'The schema of a parameter lacks the name that templates with named variables require.',
    differences: [
      `${MESSAGES} sends: /template/components[]/parameters[]/parameter_name is unknown`,
    ],
  },
  {
    because:
      'The document is older than the ids of customers, which came in 2026, and than statuses that name nobody.',
    differences: [
      'a webhook: /entry[]/changes[]/value/contacts is unknown',
      'a webhook: /entry[]/changes[]/value/statuses[] breaks anyOf: {"id":"…","status":"failed","timestamp":"…","biz_opaque_callback_data":"charge-1"}',
      'a webhook: /entry[]/changes[]/value/contacts[]/user_id is unknown',
      'a webhook: /entry[]/changes[]/value/messages[]/from_user_id is unknown',
      `${MESSAGES} answers 200: /contacts[]/user_id is unknown`,
    ],
  },
  {
    because: 'The document describes webhooks of messages and of groups only.',
    differences: [
      'a webhook: /entry[]/changes[]/field breaks enum: "message_template_status_update"',
      'a webhook: /entry[]/time is unknown',
    ],
  },
  {
    because:
      'The schema of a price lacks the type, which statuses carry since messages are priced.',
    differences: ['a webhook: /entry[]/changes[]/value/statuses[]/pricing/type is unknown'],
  },
];
