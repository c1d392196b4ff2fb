import { Type } from 'typebox'
import { byteCount, count, milliseconds, section } from '../setting-kinds.ts'

// What happens to one request: its money, its upstream and its stream.

export const money = section({
  leaseMs: milliseconds(60_000, { minimum: 500, description: 'How long a hold lives without being renewed.' }),
  sweepIntervalMs: milliseconds(5_000, { minimum: 50, description: 'How often lapsed holds are returned.' }),
  settleDeadlineMs: milliseconds(2_000, { description: 'A settle that is not committed by then goes to `dataDir`.' }),
  holdDeadlineMs: milliseconds(2_000, { description: 'A hold that is not granted by then refuses the request.' }),
})

export const upstream = section({
  connectTimeoutMs: milliseconds(5_000, { description: 'For a connection to an upstream.' }),
  firstByteTimeoutMs: milliseconds(120_000, { description: 'For the first byte of a streamed answer.' }),
  answerTimeoutMs: milliseconds(600_000, { description: 'For the whole of an answer that is not streamed.' }),
  idleTimeoutMs: milliseconds(120_000, { description: 'Between two pieces of a streamed answer.' }),
  googleTokenUrl: Type.String({
    pattern: '^https?://[^/]+/',
    default: 'https://oauth2.googleapis.com/token',
    description: 'Where access tokens for Google service accounts are minted.',
    expects: 'the URL of a token server',
  }),
})

export const stream = section({
  keepAliveMs: milliseconds(15_000, { maximum: 60_000, description: 'Silence before a client is sent a comment.' }),
  frameBytesMax: Type.Integer({
    minimum: 1_024,
    maximum: 268_435_456,
    default: 8_388_608,
    description: 'Largest single event accepted from an upstream, in bytes.',
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
})

export const uploads = section({
  perKeyMax: count(64, { description: 'Forms with files that one key may have under way at once, in each process.' }),
  bytesMax: Type.Integer({
    minimum: 104_857_600,
    maximum: 1_099_511_627_776,
    default: 8_589_934_592,
    description: 'Bytes of forms that a process keeps in `dataDir` at once; what would be more is refused with 503.',
  }),
  idleTimeoutMs: milliseconds(30_000, { description: 'Silence of a sender in the middle of a form.' }),
})

export const breaker = section({
  failures: count(5, { description: 'Failures in a row that take a provider out of the rotation.' }),
  openMs: milliseconds(10_000, { description: 'How long it stays out before one request tries it again.' }),
})

export const media = section({
  editModel: Type.String({
    minLength: 1,
    default: 'google/gemini-3-pro-image',
    description: 'Edits images for clients of `/v1/images/edits` that name no model.',
  }),
})

export const testModels = section({
  enabled: Type.Boolean({ default: true, description: 'Whether `test/*` models may be called.' }),
})
