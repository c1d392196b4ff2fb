import { publicText } from '#lib/public-text.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { Exchange } from '../exchange-script.ts'
import { jsonOf, type ReadFailure } from '../media-request.ts'
import type { VideoProgress } from '../video-codec.ts'

type Failed = Extract<VideoProgress, { kind: 'failed' }>

/**
 * The upstream accepted the job and failed. Its message is passed on if it is about the request, not about our account.
 */
export function failedVideo(words: string | undefined): Failed {
  const text = publicText(words ?? '')
  if (contentText.test(text)) return refusedContent(text)
  const reason = text === '' || accountText.test(text) ? '' : ` Provider message: ${text}`
  return { kind: 'failed', message: `The provider could not generate this video. Nothing was charged.${reason}` }
}

/** The upstream rejected the request or its result because of its content. */
export function refusedContent(words: string | undefined): Failed {
  const text = publicText(words ?? '')
  const reason = text === '' ? '' : ` Provider message: ${text}`
  return {
    kind: 'failed',
    message: `The provider rejected the content of this video. Nothing was charged.${reason}`,
    isModerated: true,
  }
}

const contentText =
  /moderat|safety|nsfw|sensitive|content (?:policy|security|filter)|usage (?:policy|guidelines)|risk control|copyright|inappropriate/i
const accountText = /balance|budget|billing|credit|quota|arrears|resource pack|api[ -]?key|unauthori[sz]ed/i

/** The upstream no longer has the job, so there will be no result. */
export const forgottenVideo: Failed = {
  kind: 'failed',
  message: 'The provider no longer has this video. Nothing was charged.',
}

export const waiting: VideoProgress = { kind: 'working', status: 'pending' }
export const atWork: VideoProgress = { kind: 'working', status: 'in_progress' }

/**
 * The upstream's report about a job, or null if it says that there is no such job. A plain 404 page may come from a
 * proxy, so only a response in the upstream's own format ends a job.
 */
export function jobIn(exchange: Exchange, readFailure: ReadFailure): JsonObject | null {
  const isMissing = exchange.status === 404 || exchange.status === 410
  if (isMissing && parseJsonObject(exchange.body.toString('utf8')) !== undefined) return null
  return jsonOf(exchange, readFailure)
}
