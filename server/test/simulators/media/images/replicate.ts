import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madeAddress, playMade } from './made.ts'

interface ReplicateScript {
  /** The first status is the submit's, the others are polls; the last one repeats. */
  readonly timeline?: readonly string[]
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
  /** Replaces an array of one URL. */
  readonly output?: unknown
  readonly error?: string
  readonly accepted?: object
}

/** Replicate: predictions, which `Prefer: wait` may finish at once. */
export function playReplicate(script: ReplicateScript = {}): MediaHandler {
  const { timeline = ['starting', 'processing', 'processing', 'succeeded'] } = script
  const steps = new Map<string, number>()
  return (call) => {
    const made = playMade(call) ?? script.refuse?.(call)
    if (made !== undefined) return made
    const isSubmit = call.method === 'POST'
    const id = isSubmit ? `rrr4z55ocneqzikepnug6xez${steps.size}` : (call.path.split('/').at(-1) ?? '')
    const step = isSubmit ? 0 : steps.get(id)
    if (step === undefined) return { status: 404, body: { detail: 'The requested resource could not be found.' } }
    steps.set(id, step + 1)
    const status = timeline[Math.min(step, timeline.length - 1)] ?? ''
    const extra = isSubmit ? script.accepted : {}
    return { status: isSubmit ? 201 : 200, body: { ...prediction(call, id, status, script), ...extra } }
  }
}

function prediction(call: MediaCall, id: string, status: string, script: ReplicateScript): object {
  const { output = [madeAddress(call, id)], error = null } = script
  return {
    id,
    model: 'black-forest-labs/flux-schnell',
    version: 'hidden',
    input: call.json['input'] ?? {},
    logs: '',
    output: status === 'succeeded' ? output : null,
    data_removed: false,
    error: status === 'failed' ? error : null,
    source: 'api',
    status,
    created_at: '2026-11-14T10:00:00.000Z',
    // Always the vendor's own URLs, whatever address it was reached by.
    urls: {
      get: `https://api.replicate.com/v1/predictions/${id}`,
      cancel: `https://api.replicate.com/v1/predictions/${id}/cancel`,
      stream: `https://stream.replicate.com/v1/files/${id}`,
    },
    metrics: status === 'succeeded' ? { predict_time: 0.61 } : {},
  }
}
