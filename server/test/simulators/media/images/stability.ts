import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madePng } from './made.ts'

interface StabilityScript {
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
  readonly finishReason?: string
  /** The number of polls that find a task in progress. */
  readonly polls?: number
}

/** Stability: a form in, base64 out, synchronous except for creative upscaling. */
export function playStability({ refuse, finishReason = 'SUCCESS', polls = 2 }: StabilityScript = {}): MediaHandler {
  const image = madePng.toString('base64')
  let pollsLeft = polls
  return (call) => {
    const refused = refuse?.(call)
    if (refused !== undefined) return refused
    if (call.path.endsWith('/upscale/creative')) return { body: { id: taskId } }
    if (!call.path.includes('/results/')) return { body: { image, finish_reason: finishReason, seed: 343940597 } }
    if (pollsLeft-- > 0) return { status: 202, body: { id: taskId, status: 'in-progress' } }
    return { body: { result: image, finish_reason: finishReason, seed: 343940597 } }
  }
}

const taskId = 'a6dc6c6e20acda010fe14d71f180658f2896ed9b4ec25aa99a6ff06c796987c4'

export function stabilityError(status: number, name: string, sentence: string): MediaAnswer {
  return { status, body: { id: 'b1a4c1ac', name, errors: [sentence] } }
}
