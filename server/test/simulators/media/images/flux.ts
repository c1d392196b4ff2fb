import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madeAddress, playMade } from './made.ts'

export interface FluxScript {
  /** The status of each poll in order; the last one repeats. */
  readonly timeline?: readonly string[]
  /** Replaces the address of the task. */
  readonly pollingUrl?: (call: MediaCall, id: string) => unknown
  /** Merged into the response that accepts a task. */
  readonly accepted?: object
  /** Replaces a response; the index is that of the submit, and null for polls. */
  readonly refuse?: (call: MediaCall, submit: number | null) => MediaAnswer | undefined
}

/** Black Forest Labs: submits are accepted, then polled at their own address. */
export function playFlux(script: FluxScript = {}): MediaHandler {
  const { timeline = ['Pending', 'Pending', 'Ready'] } = script
  const polls = new Map<string, number>()
  return (call) => {
    const made = playMade(call)
    if (made !== undefined) return made
    const id = new URL(call.path, 'http://here').searchParams.get('id')
    const refused = script.refuse?.(call, id === null ? polls.size : null)
    if (refused !== undefined) return refused
    if (id === null) return accept(call, script, polls)
    const poll = polls.get(id) ?? 0
    polls.set(id, poll + 1)
    return { body: state(call, id, timeline[Math.min(poll, timeline.length - 1)] ?? '') }
  }
}

function accept(call: MediaCall, { pollingUrl, accepted = {} }: FluxScript, polls: Map<string, number>): MediaAnswer {
  const id = `task-${polls.size + 1}`
  polls.set(id, 0)
  const polling_url =
    pollingUrl === undefined ? `http://${call.headers.host}/v1/get_result?id=${id}` : pollingUrl(call, id)
  return { body: { id, polling_url, cost: 3, input_mp: 0, output_mp: 1.05, ...accepted } }
}

function state(call: MediaCall, id: string, status: string): object {
  if (status === 'Ready') {
    const sample = madeAddress(call, id)
    const result = { sample, prompt: 'a fox', seed: 42, start_time: 1.5, end_time: 3.5, duration: 2 }
    return { id, status, result, progress: null, details: null, preview: null }
  }
  const details = status.endsWith(' Moderated') ? { 'Moderation Reasons': ['Derivative Works Filter'] } : null
  return { id, status, result: null, progress: null, details, preview: null }
}
