import { Type } from 'typebox'
import { count, eventHeaders, eventUrl, milliseconds, optionalText, section } from '../setting-kinds.ts'

// Worker settings.

export const video = section({
  deadlineMs: milliseconds(3_600_000, {
    maximum: 86_400_000,
    description: 'Maximum duration of a video job, in ms. A job that takes longer fails.',
  }),
  answerTimeoutMs: milliseconds(60_000, {
    description: 'Response timeout for each request to a video provider, in ms.',
  }),
  claimMs: milliseconds(20_000, {
    minimum: 1_000,
    description: 'Time until another worker takes over the video jobs of a crashed worker, in ms.',
  }),
  pollEveryMs: milliseconds(8_000, {
    minimum: 20,
    description:
      'Minimum interval between status requests to the provider for one video job, in ms, regardless of how often clients poll.',
  }),
  lookEveryMs: milliseconds(250, {
    minimum: 10,
    description: 'Poll interval for due video jobs, in ms. Lower values reduce delay and increase database load.',
  }),
  atOnce: count(256, { maximum: 10_000, description: 'Video jobs that a worker processes concurrently.' }),
  keepDays: count(7, { maximum: 3_650, description: 'Retention of finished videos, in days.' }),
})

export const webhooks = section({
  timeoutMs: milliseconds(10_000, {
    minimum: 100,
    maximum: 10_000,
    description: 'Response timeout for a webhook delivery, in ms.',
  }),
  pauseMs: milliseconds(5_000, {
    minimum: 10,
    maximum: 3_600_000,
    description:
      'Delay before the first retry of a failed webhook delivery, in ms. The delay doubles with each retry, up to one hour.',
  }),
  atOnce: count(256, { maximum: 10_000, description: 'Webhooks that a worker delivers concurrently.' }),
})

export const usage = section({
  rollupMs: milliseconds(2_000, {
    minimum: 10,
    maximum: 600_000,
    description:
      'Interval at which settled requests are added to the usage rollup, in ms. Usage pages and reports read from the rollup.',
  }),
  rollupBatch: count(100_000, {
    description: 'Maximum number of settled requests rolled up in one transaction when there is a backlog.',
  }),
})

export const events = section({
  otlpUrl: eventUrl(
    'OTLP/HTTP endpoint that receives a span for every settled request, encoded as JSON, such as `http://collector:4318/v1/traces`.',
  ),
  otlpHeaders: eventHeaders(),
  ndjsonFile: optionalText('File to which a JSON line is appended for every settled request.'),
  ndjsonUrl: eventUrl('URL to which a JSON line is posted for every settled request.'),
  ndjsonHeaders: eventHeaders(),
  openMeterUrl: eventUrl(
    'Base URL of an OpenMeter server, such as `https://openmeter.cloud`. It receives an event for every charged request of a customer.',
  ),
  openMeterHeaders: eventHeaders(),
  lagoUrl: eventUrl(
    'Base URL of a Lago server, such as `https://api.getlago.com`. It receives an event for every charged request of a customer.',
  ),
  lagoHeaders: eventHeaders(),
  stripeMeterUrl: eventUrl(
    'Base URL of Stripe for billing meters, `https://api.stripe.com`. It receives an event for every charged request of a customer.',
  ),
  stripeMeterHeaders: eventHeaders(),
  meter: Type.String({
    default: 'model_cost',
    pattern: '^[a-z0-9_]{1,63}$',
    description:
      'Name of the meter: the event type and meter slug in OpenMeter, the code of the billable metric in Lago, the event name of the meter in Stripe.',
    expects: '1 to 63 lowercase letters, digits and underscores',
  }),
  meterOrganization: Type.Union([Type.String({ pattern: '^[0-9a-f-]{36}$' }), Type.Null()], {
    default: null,
    description: 'ID of an organization, to meter only its customers. Unset: customers of all wallets.',
    expects: 'the ID of an organization',
  }),
  pollMs: milliseconds(2_000, {
    minimum: 10,
    maximum: 600_000,
    description: 'Poll interval for new events, in ms. Lower values reduce delay and increase database load.',
  }),
  batch: count(500, {
    maximum: 5_000,
    description: 'Approximate number of events per batch. Events settled together are sent in the same batch.',
  }),
  fromStart: Type.Boolean({
    default: false,
    description: 'Whether a new sink also receives requests settled before it was added.',
  }),
  timeoutMs: milliseconds(10_000, { maximum: 600_000, description: 'Response timeout for a batch, in ms.' }),
})

export const audit = section({
  everyMs: milliseconds(3_600_000, {
    minimum: 1_000,
    description: 'Interval at which a worker reconciles wallets with the usage rollup and logs the result, in ms.',
  }),
})

export const catalogue = section({
  sources: Type.Array(Type.String({ pattern: '^(models\\.dev|litellm|openrouter|https?://.+)$' }), {
    default: [],
    maxItems: 10,
    description:
      'Public sources that a worker compares the catalogue with: `models.dev`, `litellm`, `openrouter` or URLs. Proposed changes require `weir catalogue approve`. Empty: no source is read.',
    expects: 'a list of at most 10 of models.dev, litellm, openrouter and http:// or https:// addresses',
  }),
  syncEveryMs: milliseconds(86_400_000, {
    minimum: 60_000,
    description: 'Interval at which a worker reads the catalogue sources, in ms.',
  }),
})
