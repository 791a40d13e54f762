const text = { type: 'string' };
const texts = { type: 'array', items: text };
const strict = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const named = (schema: object) => ({ type: 'object', additionalProperties: schema });

const service = strict(
  {
    image: text,
    build: text,
    user: text,
    command: texts,
    environment: named(text),
    secrets: texts,
    volumes: texts,
    tmpfs: texts,
    ports: texts,
    network_mode: text,
    restart: { enum: ['no', 'always', 'on-failure', 'unless-stopped'] },
    stop_grace_period: { type: 'string', pattern: '^\\d+s$' },
    read_only: { const: true },
    cap_drop: { const: ['ALL'] },
    security_opt: texts,
    healthcheck: strict({
      test: texts,
      interval: text,
      retries: { type: 'integer' },
      disable: { const: true },
    }),
    depends_on: named(
      strict({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition']),
    ),
  },
  ['image', 'read_only', 'cap_drop', 'security_opt'],
);

/**
 * What deploy/compose.yaml uses of the Compose specification, spelt as there, and nothing else; its hardening is
 * required of every service. Docker Compose itself is not needed to find a misspelt key.
 */
export const COMPOSE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  patternProperties: { '^x-': {} },
  properties: {
    name: text,
    services: named(service),
    volumes: named({ type: 'null' }),
    secrets: named(strict({ file: text }, ['file'])),
  },
  required: ['services'],
};
