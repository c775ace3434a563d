// Written by `npm run openapi`: change the tables of the service instead.

import type { NodeTypes } from '../parts/bots/node-fields.ts';

export const nodeTypes: NodeTypes = {
  "start": {
    "example": {},
    "outcomes": [
      "default"
    ],
    "form": []
  },
  "message": {
    "example": {
      "text": "Hello {{contact.name}}",
      "previewUrl": false
    },
    "outcomes": [
      "default"
    ],
    "form": [
      {
        "kind": "area",
        "name": "text",
        "label": "Text",
        "hint": "Placeholders such as {{contact.name}} or {{vars.order}} are filled in."
      },
      {
        "kind": "check",
        "name": "previewUrl",
        "label": "Preview the first link"
      }
    ]
  },
  "media": {
    "example": {
      "mediaType": "image",
      "link": "https://shop.example/a.jpg",
      "caption": "Ours"
    },
    "outcomes": [
      "default"
    ],
    "form": [
      {
        "kind": "select",
        "name": "mediaType",
        "label": "Kind",
        "fallback": "image",
        "options": [
          "image",
          "video",
          "audio",
          "document",
          "sticker"
        ]
      },
      {
        "kind": "way",
        "name": "",
        "label": "From",
        "ways": {
          "id": {
            "words": "an uploaded file",
            "start": {
              "id": ""
            }
          },
          "link": {
            "words": "a link",
            "start": {
              "link": ""
            }
          }
        }
      },
      {
        "kind": "text",
        "name": "link",
        "label": "Link",
        "placeholder": "https://",
        "onWay": "link"
      },
      {
        "kind": "text",
        "name": "id",
        "label": "Id of the file",
        "onWay": "id"
      },
      {
        "kind": "area",
        "name": "caption",
        "label": "Caption",
        "hint": "Placeholders such as {{contact.name}} or {{vars.order}} are filled in.",
        "unless": {
          "mediaType": [
            "audio",
            "sticker"
          ]
        }
      },
      {
        "kind": "text",
        "name": "filename",
        "label": "Name of the file",
        "when": {
          "mediaType": [
            "document"
          ]
        }
      }
    ]
  },
  "location": {
    "example": {
      "latitude": 18.52,
      "longitude": 73.85,
      "name": "Shop",
      "address": "1 Main St"
    },
    "outcomes": [
      "default"
    ],
    "form": [
      {
        "kind": "number",
        "name": "latitude",
        "label": "Latitude",
        "min": -90,
        "max": 90,
        "step": "any"
      },
      {
        "kind": "number",
        "name": "longitude",
        "label": "Longitude",
        "min": -180,
        "max": 180,
        "step": "any"
      },
      {
        "kind": "text",
        "name": "name",
        "label": "Name"
      },
      {
        "kind": "text",
        "name": "address",
        "label": "Address"
      }
    ]
  },
  "template": {
    "example": {
      "event": "order_shipped",
      "variables": {
        "orderId": "{{vars.order}}"
      }
    },
    "outcomes": [
      "default",
      "failed"
    ],
    "form": [
      {
        "kind": "way",
        "name": "",
        "label": "Sends",
        "ways": {
          "event": {
            "words": "an event of the catalog",
            "start": {
              "event": ""
            }
          },
          "name": {
            "words": "a template by its name",
            "start": {
              "name": ""
            }
          }
        }
      },
      {
        "kind": "text",
        "name": "name",
        "label": "Name of the template",
        "onWay": "name"
      },
      {
        "kind": "text",
        "name": "language",
        "label": "Language",
        "placeholder": "en_US",
        "onWay": "name"
      },
      {
        "kind": "json",
        "name": "components",
        "label": "Components, as JSON",
        "hint": "As the provider takes them; texts in them are filled in.",
        "onWay": "name"
      },
      {
        "kind": "event",
        "name": "event",
        "label": "Event",
        "onWay": "event"
      },
      {
        "kind": "pairs",
        "name": "variables",
        "label": "Variables",
        "hint": "Placeholders such as {{contact.name}} or {{vars.order}} are filled in.",
        "onWay": "event"
      }
    ]
  },
  "buttons": {
    "example": {
      "text": "Sure?",
      "buttons": [
        {
          "id": "yes",
          "title": "Yes"
        },
        {
          "id": "no",
          "title": "No"
        }
      ]
    },
    "outcomes": [
      {
        "each": "buttons",
        "as": "button"
      },
      "other",
      "timeout"
    ],
    "form": [
      {
        "kind": "area",
        "name": "text",
        "label": "Text",
        "hint": "Placeholders such as {{contact.name}} or {{vars.order}} are filled in."
      },
      {
        "kind": "text",
        "name": "header",
        "label": "Header"
      },
      {
        "kind": "text",
        "name": "footer",
        "label": "Footer"
      },
      {
        "kind": "list",
        "name": "buttons",
        "label": "Buttons",
        "of": "button",
        "max": 3,
        "idLetter": "b",
        "fresh": {
          "title": ""
        },
        "fields": [
          {
            "kind": "text",
            "name": "id",
            "label": "Id"
          },
          {
            "kind": "text",
            "name": "title",
            "label": "Title"
          }
        ]
      }
    ]
  },
  "list": {
    "example": {
      "text": "Which one?",
      "buttonLabel": "Choose",
      "sections": [
        {
          "title": "Mugs",
          "rows": [
            {
              "id": "one",
              "title": "Blue",
              "description": "0.3 l"
            }
          ]
        }
      ]
    },
    "outcomes": [
      {
        "each": "sections.rows",
        "as": "row"
      },
      "other",
      "timeout"
    ],
    "form": [
      {
        "kind": "area",
        "name": "text",
        "label": "Text",
        "hint": "Placeholders such as {{contact.name}} or {{vars.order}} are filled in."
      },
      {
        "kind": "text",
        "name": "header",
        "label": "Header"
      },
      {
        "kind": "text",
        "name": "footer",
        "label": "Footer"
      },
      {
        "kind": "text",
        "name": "buttonLabel",
        "label": "Label of the button"
      },
      {
        "kind": "list",
        "name": "sections",
        "label": "Sections",
        "of": "section",
        "max": 10,
        "fresh": {
          "title": "",
          "rows": []
        },
        "fields": [
          {
            "kind": "text",
            "name": "title",
            "label": "Title"
          },
          {
            "kind": "list",
            "name": "rows",
            "label": "Rows",
            "of": "row",
            "max": 10,
            "idLetter": "r",
            "fresh": {
              "title": ""
            },
            "fields": [
              {
                "kind": "text",
                "name": "id",
                "label": "Id"
              },
              {
                "kind": "text",
                "name": "title",
                "label": "Title"
              },
              {
                "kind": "text",
                "name": "description",
                "label": "Description"
              }
            ]
          }
        ]
      }
    ]
  },
  "question": {
    "example": {
      "text": "Your order?",
      "saveAs": "order",
      "validation": {
        "kind": "any"
      },
      "errorText": "Such as A-77.",
      "maxRetries": 3
    },
    "outcomes": [
      "default",
      "invalid",
      "timeout"
    ],
    "form": [
      {
        "kind": "area",
        "name": "text",
        "label": "Text",
        "hint": "Placeholders such as {{contact.name}} or {{vars.order}} are filled in."
      },
      {
        "kind": "text",
        "name": "saveAs",
        "label": "Save as",
        "hint": "A bare name; texts read it as {{vars.name}}."
      },
      {
        "kind": "select",
        "name": "validation.kind",
        "label": "The answer is",
        "fallback": "any",
        "options": [
          "any",
          "number",
          "email",
          "phone",
          "date",
          "regex"
        ]
      },
      {
        "kind": "text",
        "name": "validation.pattern",
        "label": "Pattern",
        "when": {
          "validation.kind": [
            "regex"
          ]
        }
      },
      {
        "kind": "area",
        "name": "errorText",
        "label": "Reply to an invalid answer"
      },
      {
        "kind": "number",
        "name": "maxRetries",
        "label": "Invalid answers allowed",
        "min": 0,
        "max": 10,
        "hint": "3 when empty."
      }
    ]
  },
  "condition": {
    "example": {
      "match": "all",
      "rules": [
        {
          "variable": "vars.order",
          "op": "starts_with",
          "value": "A"
        }
      ]
    },
    "outcomes": [
      "true",
      "false"
    ],
    "form": [
      {
        "kind": "select",
        "name": "match",
        "label": "True if",
        "options": [
          "all",
          "any"
        ],
        "fallback": "all"
      },
      {
        "kind": "list",
        "name": "rules",
        "label": "Rules",
        "of": "rule",
        "max": 20,
        "fresh": {
          "variable": "message.text",
          "op": "equals",
          "value": ""
        },
        "fields": [
          {
            "kind": "path",
            "name": "variable",
            "label": "Variable"
          },
          {
            "kind": "select",
            "name": "op",
            "label": "Comparison",
            "options": [
              "equals",
              "not_equals",
              "contains",
              "starts_with",
              "ends_with",
              "greater_than",
              "less_than",
              "is_empty",
              "is_not_empty",
              "matches"
            ],
            "fallback": "equals"
          },
          {
            "kind": "text",
            "name": "value",
            "label": "Value",
            "unless": {
              "op": [
                "matches",
                "is_empty",
                "is_not_empty"
              ]
            }
          },
          {
            "kind": "text",
            "name": "value",
            "label": "Pattern",
            "when": {
              "op": [
                "matches"
              ]
            }
          }
        ]
      }
    ]
  },
  "switch": {
    "example": {
      "variable": "message.text",
      "cases": [
        {
          "id": "c1",
          "value": "yes"
        }
      ]
    },
    "outcomes": [
      {
        "each": "cases",
        "as": "case"
      },
      "default"
    ],
    "form": [
      {
        "kind": "path",
        "name": "variable",
        "label": "Variable"
      },
      {
        "kind": "list",
        "name": "cases",
        "label": "Cases",
        "of": "case",
        "max": 20,
        "idLetter": "c",
        "fresh": {
          "value": ""
        },
        "fields": [
          {
            "kind": "text",
            "name": "id",
            "label": "Id"
          },
          {
            "kind": "text",
            "name": "value",
            "label": "Value"
          }
        ]
      }
    ]
  },
  "set_variable": {
    "example": {
      "assignments": [
        {
          "name": "topic",
          "value": "{{message.text}}"
        }
      ]
    },
    "outcomes": [
      "default"
    ],
    "form": [
      {
        "kind": "list",
        "name": "assignments",
        "label": "Variables",
        "of": "variable",
        "max": 20,
        "fresh": {
          "name": "",
          "value": ""
        },
        "fields": [
          {
            "kind": "text",
            "name": "name",
            "label": "Name",
            "hint": "A bare name; texts read it as {{vars.name}}."
          },
          {
            "kind": "text",
            "name": "value",
            "label": "Value"
          }
        ]
      }
    ]
  },
  "delay": {
    "example": {
      "seconds": 60
    },
    "outcomes": [
      "default"
    ],
    "form": [
      {
        "kind": "number",
        "name": "seconds",
        "label": "Seconds",
        "min": 1,
        "max": 86400,
        "hint": "Up to a day: 86400."
      }
    ]
  },
  "business_hours": {
    "example": {
      "timezone": "UTC",
      "days": {
        "mon": [
          [
            "09:00",
            "18:00"
          ]
        ]
      }
    },
    "outcomes": [
      "open",
      "closed"
    ],
    "form": [
      {
        "kind": "zone",
        "name": "timezone",
        "label": "Time zone"
      },
      {
        "kind": "hours",
        "name": "days",
        "label": "Open"
      }
    ]
  },
  "http_request": {
    "example": {
      "method": "POST",
      "url": "https://shop.example/orders",
      "headers": {
        "x-shop": "1"
      },
      "body": {
        "order": "{{vars.order}}"
      },
      "timeoutMs": 5000,
      "saveAs": "found"
    },
    "outcomes": [
      "success",
      "error"
    ],
    "form": [
      {
        "kind": "select",
        "name": "method",
        "label": "Method",
        "fallback": "GET",
        "options": [
          "GET",
          "POST",
          "PUT",
          "PATCH",
          "DELETE"
        ]
      },
      {
        "kind": "text",
        "name": "url",
        "label": "URL",
        "placeholder": "https://",
        "hint": "Placeholders such as {{contact.name}} or {{vars.order}} are filled in."
      },
      {
        "kind": "pairs",
        "name": "headers",
        "label": "Headers"
      },
      {
        "kind": "json",
        "name": "body",
        "label": "Body, as JSON",
        "hint": "Texts in it are filled in. None when empty."
      },
      {
        "kind": "number",
        "name": "timeoutMs",
        "label": "Time limit in ms",
        "min": 1,
        "max": 10000,
        "hint": "5000 when empty."
      },
      {
        "kind": "text",
        "name": "saveAs",
        "label": "Save as",
        "hint": "A bare name; texts read it as {{vars.name}}."
      }
    ]
  },
  "handoff": {
    "example": {
      "minutes": 60
    },
    "outcomes": [],
    "form": [
      {
        "kind": "number",
        "name": "minutes",
        "label": "Minutes without bots",
        "min": 1,
        "max": 43200,
        "hint": "Up to 30 days: 43200. An hour when empty."
      }
    ]
  },
  "end": {
    "example": {},
    "outcomes": [],
    "form": []
  }
};

export const webhookTopics = {
  "message.received": {
    "when": "a customer wrote",
    "data": "the record of `GET /v1/messages`, and `message`: the provider's object, verbatim"
  },
  "message.sent": {
    "when": "the provider accepted a message",
    "data": "the record"
  },
  "message.delivered": {
    "when": "a message was delivered",
    "data": "the record as it was then"
  },
  "message.read": {
    "when": "the customer read a message",
    "data": "the record as it was then"
  },
  "message.failed": {
    "when": "a message failed",
    "data": "the record as it was then"
  },
  "template.status": {
    "when": "a template changed its status or category, or will",
    "data": "`id`, `name`, `language`, `category`, `status` (`DELETED` once it is gone), `statusReason`, `changingTo` (`{ category, at }` or null)"
  },
  "number.quality": {
    "when": "the quality rating of a number changed",
    "data": "`phoneNumberId`, `displayPhoneNumber`, `verifiedName`, `qualityRating`, `previousQualityRating`"
  },
  "job.finished": {
    "when": "the last row of a job was sent or refused",
    "data": "`jobId`, `sent`, `refused`, `amount` (credits, or a decimal text on a wallet plan)"
  },
  "job.paused": {
    "when": "the service paused a job",
    "data": "`jobId`, `reason`, `sent`, `refused`, `amount`"
  },
  "scheduled.refused": {
    "when": "a scheduled send was refused when it was due",
    "data": "the record of `GET /v1/scheduled`, with `error`"
  },
  "account.balance_low": {
    "when": "the balance fell below `balanceLow`, once each time",
    "data": "`balance`, `balanceLow`, `billing`, `currency`"
  },
  "account.paused": {
    "when": "sending was paused",
    "data": "`paused`, `reason` (null where an administrator did it)"
  }
} as const;

export const categories = {
  "MARKETING": {
    "billedAs": [
      "marketing",
      "marketing_lite",
      "group_marketing"
    ],
    "isOfTemplates": true,
    "priceOf": "a message",
    "pricedLike": null
  },
  "UTILITY": {
    "billedAs": [
      "utility",
      "group_utility"
    ],
    "isOfTemplates": true,
    "priceOf": "a message",
    "pricedLike": null
  },
  "AUTHENTICATION": {
    "billedAs": [
      "authentication",
      "authentication_international"
    ],
    "isOfTemplates": true,
    "priceOf": "a message",
    "pricedLike": null
  },
  "SERVICE": {
    "billedAs": [
      "service",
      "group_service",
      "general_purpose_ai"
    ],
    "isOfTemplates": false,
    "priceOf": "a free-form message",
    "pricedLike": "UTILITY"
  }
} as const;

export const rowStates = [
  "waiting",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "refused",
  "bad",
  "duplicate"
] as const;

export const keyScopes = [
  "notifications:send",
  "messages:send",
  "messages:read",
  "conversations:write",
  "media:read",
  "media:write",
  "templates:read",
  "templates:write",
  "phones:read",
  "phones:write",
  "bots:read",
  "bots:write",
  "credits:read",
  "account:write",
  "webhooks:read",
  "webhooks:write",
  "gateway"
] as const;

export const readingScopes: readonly string[] = [
  "messages:read",
  "media:read",
  "bots:read",
  "gateway"
];
