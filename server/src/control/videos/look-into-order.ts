import { hostOf } from '#domain/egress/judge-url.ts'
import { mediaAddress } from '#domain/video/media-address.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { Egress } from '#ports/egress.ts'
import type { VideoProbe } from '#ports/video-probe.ts'

export interface LookDeps {
  readonly egress: Egress
  readonly probe: VideoProbe
}

/**
 * What can only be found out by asking: whether the addresses in an order are public, and how long its video is, which goes
 * into the body as `source_duration_ms`. What is malformed otherwise is left for parsing to refuse.
 */
export function createLookIntoOrder({
  egress,
  probe,
}: LookDeps): (body: JsonObject, ownUrl: string) => Promise<JsonObject> {
  return async (body, ownUrl) => {
    if (Array.isArray(body.input_video)) throw malformed('`input_video` takes one video: a URL, or an object with one.')
    if (!isTextOrNothing(body.callback_url)) throw malformed('`callback_url` must be a string.')
    const media = [...textsIn(body.frame_images), ...textsIn(body.input_references), ...textsIn(body.input_video)]
    await Promise.all([
      ...media.map((url) => judgeMedia(url, ownUrl)),
      ...(typeof body.callback_url === 'string' ? [judgeCallback(body.callback_url)] : []),
    ])
    const [source] = textsIn(body.input_video)
    if (source === undefined) return body
    const durationMs = await probe.durationOf(source)
    if (durationMs === null) throw malformed('`input_video` could not be fetched and read as an MP4 or MOV file.')
    return { ...body, input_video: { url: source, source_duration_ms: durationMs } }
  }

  async function judgeMedia(url: string, ownUrl: string): Promise<void> {
    if (isOwn(url, ownUrl)) {
      throw malformed('Input media must be public. A video that was made here needs a copy elsewhere first.')
    }
    const verdict = await egress.judge(url)
    if (!verdict.allowed) throw malformed(`Input media must be public https URLs; one of them ${verdict.message}`)
  }

  async function judgeCallback(url: string): Promise<void> {
    const verdict = await egress.judge(url)
    if (!verdict.allowed) throw malformed(`\`callback_url\` must be a public https URL; this one ${verdict.message}`)
  }
}

function isTextOrNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

/** Whatever is here asks for a key, which nobody else has. */
function isOwn(text: string, ownUrl: string): boolean {
  const url = URL.parse(text)
  const own = URL.parse(ownUrl)
  return url !== null && own !== null && hostOf(url) === hostOf(own) && url.port === own.port
}

/** The addresses in a field, whatever of its forms it has. */
function textsIn(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  const url = value === undefined ? undefined : mediaAddress(value)
  return url === undefined ? [] : [url]
}

function malformed(message: string): GatewayError {
  return new GatewayError('malformedRequest', { message })
}
