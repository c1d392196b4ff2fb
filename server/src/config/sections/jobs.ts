import { Type } from 'typebox'
import { count, eventHeaders, eventUrl, milliseconds, optionalText, section } from '../setting-kinds.ts'

// What a worker does.

export const video = section({
  deadlineMs: milliseconds(3_600_000, {
    maximum: 86_400_000,
    description: 'How long the job of a video may take; then it has failed.',
  }),
  answerTimeoutMs: milliseconds(60_000, { description: 'For an answer of a provider of videos to one question.' }),
  claimMs: milliseconds(20_000, {
    minimum: 1_000,
    description: 'How long the jobs of a worker that died wait for another.',
  }),
  pollEveryMs: milliseconds(8_000, {
    minimum: 20,
    description: 'How often at the most a provider is asked about a job, however often clients ask us.',
  }),
  lookEveryMs: milliseconds(250, { minimum: 10, description: 'How often a worker looks for jobs that are due.' }),
  atOnce: count(256, { maximum: 10_000, description: 'Jobs that a worker moves at the same time.' }),
  keepDays: count(7, { maximum: 3_650, description: 'How long finished videos are kept. Days.' }),
})

export const webhooks = section({
  timeoutMs: milliseconds(10_000, {
    minimum: 100,
    maximum: 10_000,
    description: 'How long a receiver of a webhook may take to answer.',
  }),
  pauseMs: milliseconds(5_000, {
    minimum: 10,
    maximum: 3_600_000,
    description: 'How long until a webhook that was not taken is sent again; twice as long each time, up to an hour.',
  }),
  atOnce: count(256, { maximum: 10_000, description: 'Webhooks that a worker sends at the same time.' }),
})

export const usage = section({
  rollupMs: milliseconds(2_000, {
    minimum: 10,
    maximum: 600_000,
    description: 'How often settled requests are added to the sums that usage and reports are read from.',
  }),
  rollupBatch: count(100_000, { description: 'How many of them are added in one transaction, when many are waiting.' }),
})

export const events = section({
  otlpUrl: eventUrl(
    'Where a span for every settled request is sent, as OTLP over HTTP in JSON: `http://collector:4318/v1/traces`.',
  ),
  otlpHeaders: eventHeaders(),
  ndjsonFile: optionalText('The file that a line of JSON is appended to for every settled request.'),
  ndjsonUrl: eventUrl('Where those lines are posted.'),
  ndjsonHeaders: eventHeaders(),
  pollMs: milliseconds(2_000, {
    minimum: 10,
    maximum: 600_000,
    description: 'Poll interval for new events.',
  }),
  batch: count(500, {
    maximum: 5_000,
    description: 'About how many are sent at once. Those that were settled together stay together.',
  }),
  fromStart: Type.Boolean({
    default: false,
    description: 'Whether a sink that is new gets what was settled before it as well.',
  }),
  timeoutMs: milliseconds(10_000, { maximum: 600_000, description: 'For the answer to a batch.' }),
})

export const audit = section({
  everyMs: milliseconds(3_600_000, {
    minimum: 1_000,
    description: 'How often a worker compares wallets with the sums of usage, and logs whether the books agree.',
  }),
})

export const catalogue = section({
  sources: Type.Array(Type.String({ pattern: '^(models\\.dev|litellm|openrouter|https?://.+)$' }), {
    default: [],
    maxItems: 10,
    description:
      'Public sources that a worker compares the catalogue with: `models.dev`, `litellm`, `openrouter` or addresses. What they would change awaits `weir catalogue approve`. None: nothing is read.',
    expects: 'a list of at most 10 of models.dev, litellm, openrouter and http:// or https:// addresses',
  }),
  syncEveryMs: milliseconds(86_400_000, { minimum: 60_000, description: 'How often a worker reads them.' }),
})
