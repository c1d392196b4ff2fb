import { tokenTotals } from '#domain/money/charge.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { type GatewayError, errorBody } from '#errors/gateway-error.ts'
import type { Charged, HostedImages, KeepAlive } from '../dialect.ts'

/** The named events of image output, on the images endpoints and on chat for clients that accept events. */
export const imageHeartbeat: KeepAlive = { bytes: eventFrame('heartbeat', {}), everyMs: 60_000 }

/** Each image's upstream URL and our URL. An image that the upstream sent as bytes has only ours. */
export function writeImageEvents({ images }: HostedImages): string {
  return images
    .map(({ url, upstreamUrl }, index) => {
      const made = eventFrame('image', { index, url: upstreamUrl ?? url })
      return made + eventFrame('image-cached', { index, url })
    })
    .join('')
}

export function closeImageEvents({ images }: HostedImages, charged: Charged | null, durationMs: number): string {
  const { prompt, completion } = charged === null ? { prompt: 0, completion: 0 } : tokenTotals(charged.usage)
  const usage = {
    promptTokens: prompt,
    completionTokens: completion,
    cost: charged === null ? 0 : usdJson(charged.cost),
    durationMs,
    imageCount: images.length,
  }
  return eventFrame('usage', usage) + eventFrame('done', {})
}

export function failImageEvents(error: GatewayError): string {
  return eventFrame('error', errorBody(error))
}

function eventFrame(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
