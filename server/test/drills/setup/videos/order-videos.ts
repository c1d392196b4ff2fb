import { setTimeout as wait } from 'node:timers/promises'
import { parseJobId } from '#domain/video/job-id.ts'
import { stringAt } from '#lib/json.ts'
import { createClient } from '#test/setup/client.ts'
import type { Random } from '../random.ts'
import type { VideoModel } from './video-scene.ts'

/** An order that was answered with 202. */
export interface OrderedVideo {
  readonly id: string
  readonly publicId: string
  readonly key: string
}

export interface OrderInput {
  readonly gateway: { url: string } | undefined
  readonly key: string
  readonly model: VideoModel
  /** Nobody else's; orders are told by it from the gateway to the host. */
  readonly prompt: string
  readonly callbackUrl: string
}

let orders = 0

export function newPrompt(): string {
  orders += 1
  return `a weir, take ${orders}`
}

/** Null where nobody answered, or with something else than 202. */
export async function orderVideo({
  gateway,
  key,
  model,
  prompt,
  callbackUrl,
}: OrderInput): Promise<OrderedVideo | null> {
  if (gateway === undefined) return null
  try {
    const order = { model, prompt, duration: 5, callback_url: callbackUrl }
    const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) }
    const { status, json } = await createClient(gateway.url, key).post('/v1/videos', order, options)
    const publicId = stringAt(json, 'id') ?? ''
    const id = parseJobId(publicId)
    return status !== 202 || id === undefined ? null : { id, publicId, key }
  } catch {
    return null
  }
}

/** Orders so many videos, spread over a time; who is not answered orders another one. */
export async function orderOverTime(
  random: Random,
  input: { count: number; overMs: number; next: () => Omit<OrderInput, 'prompt'> },
): Promise<OrderedVideo[]> {
  const orderOne = async (): Promise<OrderedVideo> => {
    await wait(random.integer(0, input.overMs))
    for (;;) {
      const ordered = await orderVideo({ ...input.next(), prompt: newPrompt() })
      if (ordered !== null) return ordered
      await wait(200)
    }
  }
  return Promise.all(Array.from({ length: input.count }, orderOne))
}
