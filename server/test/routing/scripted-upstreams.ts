import type { UpstreamHandler, Upstreams } from '#ports/upstream.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A condition of an upstream, for some time, followed by the next. */
export type Condition = 'up' | 'slow' | 'flapping' | 'storm' | 'dead'

export interface Phase {
  readonly condition: Condition
  readonly untilMs: number
}

export interface ScriptedUpstream {
  readonly name: string
  readonly phases: readonly Phase[]
  readonly askedAtMs: number[]
}

export function conditionAt({ phases }: ScriptedUpstream, nowMs: number): Phase {
  return phases.find(({ untilMs }) => nowMs < untilMs) ?? { condition: 'up', untilMs: Number.POSITIVE_INFINITY }
}

const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  }),
)
const refusal = Buffer.from(JSON.stringify({ error: { message: 'scripted', type: 'server_error', code: 'scripted' } }))
const json = { 'content-type': 'application/json' }

/** Upstreams inside the process, on their own clock, found by the origin of a request, which is their name. */
export function openScripted(
  upstreams: ReadonlyMap<string, ScriptedUpstream>,
  time: VirtualTime,
  chance: () => number,
): Upstreams {
  return {
    open(request, handler) {
      const upstream = upstreams.get(request.origin)
      if (upstream === undefined) throw new Error(`no upstream ${request.origin}`)
      upstream.askedAtMs.push(time.nowMs)
      let isOver = false
      const { afterMs, act } = reaction(conditionAt(upstream, time.nowMs).condition, chance)
      time.at(time.nowMs + afterMs, () => {
        if (!isOver) act(handler)
      })
      return {
        pause: () => {},
        resume: () => {},
        abort: () => {
          isOver = true
        },
      }
    },
  }
}

function reaction(condition: Condition, chance: () => number): { afterMs: number; act: (to: UpstreamHandler) => void } {
  switch (condition) {
    case 'up':
      return { afterMs: 20, act: (to) => reply(to, 200, answer) }
    case 'slow':
      return { afterMs: 1_500, act: (to) => reply(to, 200, answer) }
    case 'flapping':
      return chance() < 0.5 ? reaction('up', chance) : { afterMs: 5, act: (to) => reply(to, 500, refusal) }
    case 'storm':
      return { afterMs: 2, act: (to) => reply(to, 429, refusal) }
    case 'dead':
      return { afterMs: 1, act: (to) => to.failed({ kind: 'unreachable', message: 'refused' }) }
  }
}

function reply(to: UpstreamHandler, status: number, body: Buffer): void {
  to.headers(status, json)
  to.data(body)
  to.end()
}
