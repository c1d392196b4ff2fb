import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madeAddress, playMade } from './made.ts'

export interface FalScript {
  readonly timeline?: readonly string[]
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
  /** Replaces a result; the number counts earlier fetches. */
  readonly result?: (call: MediaCall, fetches: number) => MediaAnswer | undefined
  readonly isUnsafe?: (index: number) => boolean
}

/** fal's queue: 202 while a task waits or runs, then a completed status, then its result. */
export function playFal(script: FalScript = {}): MediaHandler {
  const { timeline = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'] } = script
  const tasks = new Map<string, { polls: number; count: number }>()
  let fetches = 0
  return (call) => {
    const made = playMade(call) ?? script.refuse?.(call)
    if (made !== undefined) return made
    const [, base, id = '', isStatus] = /^(.*)\/requests\/([^/?]+)(\/status)?(?:\?.*)?$/.exec(call.path) ?? []
    if (base === undefined) return submit(call, tasks)
    const task = tasks.get(id)
    if (task === undefined) return { status: 404, body: { detail: 'Request not found' } }
    if (isStatus === undefined)
      return script.result?.(call, fetches++) ?? { body: result(call, id, task.count, script) }
    const status = timeline[Math.min(task.polls, timeline.length - 1)] ?? ''
    task.polls += 1
    return {
      status: status === 'COMPLETED' ? 200 : 202,
      body: { ...addresses(call, id), status, logs: null, metrics: {} },
    }
  }
}

function submit(call: MediaCall, tasks: Map<string, { polls: number; count: number }>): MediaAnswer {
  const id = `764cabcf-b745-4b3e-ae38-1200304cf45${tasks.size}`
  tasks.set(id, { polls: 0, count: typeof call.json['num_images'] === 'number' ? call.json['num_images'] : 1 })
  return { body: { ...addresses(call, id), status: 'IN_QUEUE', queue_position: 0 } }
}

/** The upstream's own URLs, whatever address it was reached by. */
function addresses(call: MediaCall, id: string): object {
  const app = call.path.split('/').slice(1, 3).join('/')
  const response_url = `https://queue.fal.run/${app}/requests/${id}`
  return { request_id: id, response_url, status_url: `${response_url}/status`, cancel_url: `${response_url}/cancel` }
}

function result(call: MediaCall, id: string, count: number, { isUnsafe = () => false }: FalScript): object {
  const indexes = Array.from({ length: count }, (_, index) => index)
  return {
    images: indexes.map((index) => ({
      url: madeAddress(call, `${id}-${index}`),
      width: 64,
      height: 32,
      content_type: 'image/png',
    })),
    timings: { inference: 0.4 },
    seed: 42,
    has_nsfw_concepts: indexes.map(isUnsafe),
    prompt: 'a fox',
  }
}
