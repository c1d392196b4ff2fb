import { hostOf, type UrlVerdict } from '#domain/egress/judge-url.ts'
import { parseOrderMedia } from '#domain/video/order-media.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { Egress } from '#ports/outbound.ts'
import type { VideoProbe } from '#ports/videos.ts'

interface LookDeps {
  readonly egress: Egress
  readonly probe: VideoProbe
}

/** The client and origin of an order. */
interface Orderer {
  readonly account: string
  readonly ownUrl: string
}

/**
 * Runs the checks of an order that need the network: whether its URLs are public, and the length of its video, which is
 * added to the body as `source_duration_ms`. No host is contacted before the number and the syntax of all URLs have
 * passed. Other invalid input is left for the parser to reject.
 */
export function createLookIntoOrder({
  egress,
  probe,
}: LookDeps): (body: JsonObject, orderer: Orderer) => Promise<JsonObject> {
  return async (body, { account, ownUrl }) => {
    const callbackUrl = callbackUrlOf(body.callback_url)
    const { firstFrame, lastFrame, references, inputVideo } = parseOrderMedia(body)
    const media = [firstFrame, lastFrame, ...references, inputVideo].filter((url) => url !== null)
    for (const url of media) {
      refuseOwn(url, ownUrl)
      assertMedia(egress.judgeText(url))
    }
    if (callbackUrl !== null) assertCallback(egress.judgeText(callbackUrl))
    await Promise.all([
      ...media.map(async (url) => assertMedia(await egress.judge(url, account))),
      ...(callbackUrl === null ? [] : [egress.judge(callbackUrl, account).then(assertCallback)]),
    ])
    if (inputVideo === null) return body
    const durationMs = await probe.durationOf(inputVideo, account)
    if (durationMs === null) throw malformed('`input_video` could not be fetched as an MP4 or MOV file.')
    return { ...body, input_video: { url: inputVideo, source_duration_ms: durationMs } }
  }
}

function callbackUrlOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw malformed('`callback_url` must be a string.')
  return value
}

function assertMedia(verdict: UrlVerdict): void {
  if (!verdict.allowed) throw malformed(`Input media must be public https URLs; one of them ${verdict.message}`)
}

function assertCallback(verdict: UrlVerdict): void {
  if (!verdict.allowed) throw malformed(`\`callback_url\` must be a public https URL; this one ${verdict.message}`)
}

/** Rejects URLs of this gateway: all its paths require a key, which no upstream has. */
function refuseOwn(text: string, ownUrl: string): void {
  const url = URL.parse(text)
  const own = URL.parse(ownUrl)
  if (url === null || own === null || hostOf(url) !== hostOf(own) || url.port !== own.port) return
  throw malformed('Input media must be public. Copy a video generated here to a public URL first.')
}
