import { CERTAINTY_KEY, CERTAINTY_WORDS } from '../certainty.js';
import type { WebhookEvent } from '../webhook/events.js';
import type { JsonSchema } from '../documented.js';
import type { Refer } from './component-schemas.js';
import { media } from './operation-object.js';
import { SECURITY, WEBHOOK_HEADERS } from './shared-components.js';

/** One event as OpenAPI has it: a path item of the receiver. */
export function webhookObject(
  event: WebhookEvent,
  refer: Refer,
  examples: Readonly<Record<string, unknown>> = {},
): JsonSchema {
  const { name, title, description, certainty, layouts } = event;
  const schema =
    layouts.length === 0
      ? { type: 'object', description: 'Not shown in the interface.' }
      : { oneOf: layouts.map((layout) => ({ ...refer(layout.schema), title: layout.title })) };
  const shown = Object.fromEntries(
    Object.entries(examples).filter(([layout]) => layouts.some((each) => each.name === layout)),
  );
  return {
    post: {
      operationId: name,
      summary: title,
      description,
      tags: ['webhooks'],
      security: SECURITY,
      parameters: WEBHOOK_HEADERS,
      requestBody: { required: true, content: { 'application/json': media(schema, shown) } },
      responses: {
        '200': {
          description: 'Received.',
          content: { 'application/json': { schema: { type: 'object' }, example: {} } },
        },
        default: {
          description:
            'Not received: the receiver did not store the call. It is assumed that the platform sends it again.',
          [CERTAINTY_KEY]: CERTAINTY_WORDS.assumed,
        },
      },
      [CERTAINTY_KEY]: CERTAINTY_WORDS[certainty],
      'x-maturity': 'Webhook',
    },
  };
}
