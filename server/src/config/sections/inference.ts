import { Type } from 'typebox'
import { byteCount, count, milliseconds, section } from '../setting-kinds.ts'

// Settings of one request: money, upstream and stream.

export const money = section({
  leaseMs: milliseconds(60_000, {
    minimum: 500,
    description: 'Time until a hold expires unless it is renewed, in ms.',
  }),
  sweepIntervalMs: milliseconds(5_000, {
    minimum: 50,
    description: 'Interval at which expired holds are released, in ms.',
  }),
  settleDeadlineMs: milliseconds(2_000, {
    description: 'Deadline for committing a settlement, in ms. After it, the settlement is spooled to `dataDir`.',
  }),
  holdDeadlineMs: milliseconds(2_000, {
    description: 'Deadline for placing a hold, in ms. After it, the request fails.',
  }),
})

export const upstream = section({
  connectTimeoutMs: milliseconds(5_000, { description: 'Timeout for connecting to an upstream, in ms.' }),
  firstByteTimeoutMs: milliseconds(120_000, {
    description: 'Timeout for the first byte of a streamed response, in ms.',
  }),
  answerTimeoutMs: milliseconds(600_000, { description: 'Timeout for a complete non-streamed response, in ms.' }),
  idleTimeoutMs: milliseconds(120_000, {
    description: 'Maximum time between two chunks of a streamed response, in ms.',
  }),
  googleTokenUrl: Type.String({
    pattern: '^https?://[^/]+/',
    default: 'https://oauth2.googleapis.com/token',
    description: 'Token endpoint that issues access tokens for Google service accounts.',
    expects: 'the URL of a token server',
  }),
})

export const stream = section({
  keepAliveMs: milliseconds(15_000, {
    maximum: 60_000,
    description: 'Idle time on a stream before the gateway sends a keep-alive comment, in ms.',
  }),
  frameBytesMax: Type.Integer({
    minimum: 1_024,
    maximum: 268_435_456,
    default: 8_388_608,
    description: 'Largest single event accepted from an upstream, in bytes.',
  }),
})

export const realtime = section({
  sessionsMax: count(2_000, { description: 'Maximum open realtime sessions of a gateway process.' }),
  keySessionsMax: count(100, { description: 'Maximum open realtime sessions of an API key in a gateway process.' }),
  sessionMs: milliseconds(3_600_000, {
    minimum: 1_000,
    maximum: 3_600_000,
    description: 'Maximum duration of a realtime session, in ms.',
  }),
  idleMs: milliseconds(900_000, {
    minimum: 1_000,
    description: 'Time after which a realtime session ends if its client sends no event, in ms.',
  }),
  messageBytesMax: Type.Integer({
    minimum: 65_536,
    maximum: 67_108_864,
    default: 4_194_304,
    description: 'Maximum size of a client message in a realtime session, in bytes.',
  }),
})

export const retries = section({
  leaseMs: milliseconds(20_000, {
    minimum: 200,
    description:
      'Time after which a retry with an idempotency key takes over the request of a dead gateway, in ms. A running gateway renews the lease.',
  }),
  answerBytesMax: byteCount(33_554_432, {
    description:
      'Maximum size of an answer that is stored for retries with an idempotency key, in bytes. A retry of a longer answer gets 409 `answer_not_stored`.',
  }),
})

export const cache = section({
  ttlSeconds: count(3_600, {
    maximum: 2_592_000,
    description: 'Time that an answer stays in the response cache for a request with `cache: true`, in seconds.',
  }),
  ttlSecondsMax: count(86_400, {
    maximum: 2_592_000,
    description: 'Maximum time that a request, a key or an organization can cache answers, in seconds.',
  }),
  answerBytesMax: byteCount(1_048_576, {
    description: 'Maximum size of an answer in the response cache, in bytes.',
  }),
  walletBytesMax: byteCount(67_108_864, {
    description:
      'Maximum size of the response cache per wallet, in bytes. Each answer counts its size plus 4 KiB. Beyond it, the oldest answers are dropped.',
  }),
  hitPricePercent: Type.Integer({
    minimum: 0,
    maximum: 100,
    default: 0,
    description: 'Price of a cached answer, in percent of the price of its tokens. 0: free.',
  }),
  leaseMs: milliseconds(20_000, {
    minimum: 200,
    description:
      'Time after which an identical request stops waiting for the answer of a dead gateway and goes to the upstream, in ms. A running gateway renews the lease.',
  }),
  joinMs: milliseconds(120_000, {
    description:
      'Maximum time that a request waits for the answer of an identical request before it goes to the upstream, in ms.',
  }),
})

export const responses = section({
  itemRetentionMs: milliseconds(0, {
    minimum: 0,
    description:
      'How long output items of `/v1/responses` are kept in Redis, sealed, after the last request that used them, so that requests can refer to them by id (`item_reference`). 0: not at all.',
  }),
  itemBytesPerWallet: byteCount(16_777_216, {
    description: 'Maximum bytes of kept items per wallet. The gateway drops the items that were unused the longest.',
  }),
  retentionMs: milliseconds(0, {
    minimum: 0,
    maximum: 31_536_000_000,
    description:
      'How long responses of `/v1/responses` with `store: true` are stored, encrypted, in ms. While this is on, clients can continue, read and delete responses, and run and cancel requests in the background. 0: off.',
  }),
  storeByDefault: Type.Boolean({
    default: false,
    description: 'Whether responses to requests without `store` are stored, which is the default at OpenAI.',
  }),
  bytesPerWallet: byteCount(268_435_456, {
    description: 'Maximum bytes of stored responses per wallet. Beyond it, the gateway deletes the oldest responses.',
  }),
  backgroundMax: count(256, {
    description:
      'Maximum concurrent requests with `background: true` per process. One wallet can have a quarter of them. Further requests are rejected with 503.',
  }),
  leaseMs: milliseconds(20_000, {
    minimum: 200,
    description:
      'Time after which a background response of a dead gateway counts as failed, in ms. A running gateway renews the lease.',
  }),
})

export const uploads = section({
  perKeyMax: count(64, { description: 'Concurrent file uploads (multipart forms) per API key in each process.' }),
  bytesMax: Type.Integer({
    minimum: 104_857_600,
    maximum: 1_099_511_627_776,
    default: 8_589_934_592,
    description:
      'Maximum total size of uploads that a process stores in `dataDir` at once, in bytes. Further uploads fail with 503.',
  }),
  idleTimeoutMs: milliseconds(30_000, { description: 'Maximum idle time of a client during an upload, in ms.' }),
})

export const files = section({
  bytesMax: byteCount(104_857_600, {
    description: 'Maximum size of an uploaded file (`/v1/files`), in bytes.',
  }),
  countMax: count(1_000, { description: 'Maximum number of files per wallet, including results of batches.' }),
  walletBytesMax: byteCount(10_737_418_240, {
    description: 'Maximum total size of the files of a wallet, including results of batches, in bytes.',
  }),
  retentionDays: count(30, {
    maximum: 3_650,
    description:
      'Retention of files and of ended batches, in days. A client can shorten it for a file with `expires_after`.',
  }),
})

export const batches = section({
  atOnce: Type.Integer({
    minimum: 0,
    maximum: 64,
    default: 2,
    description:
      'Maximum number of batches that a gateway runs at once. 0: none, for gateways that only serve clients. At least one gateway must run batches.',
  }),
  linesAtOnce: count(4, {
    maximum: 256,
    description: 'Maximum number of lines of one batch that a gateway runs at once.',
  }),
  linesMax: count(50_000, { maximum: 50_000, description: 'Maximum number of lines of a batch.' }),
  openMax: count(100, { description: 'Maximum number of batches per wallet that have not ended.' }),
  leaseMs: milliseconds(20_000, {
    minimum: 200,
    description:
      'Time after which another gateway continues the batch of a dead gateway, in ms. A running gateway renews the lease.',
  }),
  lookEveryMs: milliseconds(1_000, { minimum: 10, description: 'Poll interval for due batches, in ms.' }),
  turnMs: milliseconds(15_000, {
    description:
      'Time that a gateway works on one batch before it continues with the batch that has waited the longest, in ms.',
  }),
})

export const breaker = section({
  failures: count(5, {
    description: 'Consecutive failures that open the circuit for a provider and remove it from rotation.',
  }),
  openMs: milliseconds(10_000, { description: 'Time a circuit stays open before one trial request is sent, in ms.' }),
})

export const media = section({
  editModel: Type.String({
    minLength: 1,
    default: 'google/gemini-3-pro-image',
    description: 'Default model for `/v1/images/edits` requests that do not specify one.',
  }),
})

export const testModels = section({
  enabled: Type.Boolean({ default: true, description: 'Whether clients can call `test/*` models.' }),
})
