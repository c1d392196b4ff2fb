import { setTimeout as wait } from 'node:timers/promises'
import { parseJobId } from '#domain/video/job-id.ts'
import { stringAt } from '#lib/json.ts'
import { createClient } from '#test/setup/client.ts'
import type { VideoModel } from './video-scene.ts'

/** An order with a 202 response. */
interface OrderedVideo {
  readonly id: string
  readonly publicId: string
  readonly key: string
}

interface OrderInput {
  readonly gateway: { url: string } | undefined
  readonly key: string
  readonly model: VideoModel
  /** Unique per order; it identifies the order from the gateway to the provider. */
  readonly prompt: string
  readonly callbackUrl: string
}

// Only for requests that would never end.
const hangMs = 120_000

let orders = 0

export function newPrompt(): string {
  orders += 1
  return `a weir, take ${orders}`
}

/** Returns null without a response, or for a status other than 202. */
export async function orderVideo({
  gateway,
  key,
  model,
  prompt,
  callbackUrl,
}: OrderInput): Promise<OrderedVideo | null> {
  if (gateway === undefined) return null
  try {
    // No prompt outlives its job, so the callback URL identifies the order.
    const order = { model, prompt, duration: 5, callback_url: `${callbackUrl}/?order=${encodeURIComponent(prompt)}` }
    const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(hangMs) }
    const { status, json } = await createClient(gateway.url, key).post('/v1/videos', order, options)
    const publicId = stringAt(json, 'id') ?? ''
    const id = parseJobId(publicId)
    return status !== 202 || id === undefined ? null : { id, publicId, key }
  } catch {
    return null
  }
}

/** Orders this many videos, each at its moment; an unanswered order is followed by another one. */
export async function orderMany(input: {
  count: number
  moment: () => Promise<void>
  next: () => Omit<OrderInput, 'prompt'>
}): Promise<OrderedVideo[]> {
  const orderOne = async (): Promise<OrderedVideo> => {
    await input.moment()
    for (;;) {
      const ordered = await orderVideo({ ...input.next(), prompt: newPrompt() })
      if (ordered !== null) return ordered
      await wait(200)
    }
  }
  return Promise.all(Array.from({ length: input.count }, orderOne))
}
