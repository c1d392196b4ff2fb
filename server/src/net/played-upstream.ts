import { mediaScriptFor } from '#domain/test-models/media/media-script.ts'
import type { Script, Step } from '#domain/test-models/script.ts'
import { scriptFor } from '#domain/test-models/script-for.ts'
import { assert } from '#lib/assert.ts'
import { parseJsonObject } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { UpstreamExchange, UpstreamFailure, UpstreamHandler, UpstreamRequest, Upstreams } from '#ports/upstream.ts'

/** An upstream inside the process. For chat the path names a test model; otherwise the path is OpenAI's. */
export function createPlayedUpstream(): Upstreams {
  return {
    open(request, handler) {
      return new PlayedExchange(mediaScriptFor(request) ?? chatScriptFor(request), request, handler)
    },
  }
}

function chatScriptFor({ path, body }: UpstreamRequest): Script {
  assert(typeof body === 'string', 'test models of chat are sent no files')
  return scriptFor(path.replace(/^\//, ''), parseJsonObject(body) ?? {})
}

/**
 * States: waiting for headers, then for one step after another, then over. There is at most one timer, for the next
 * step or for an earlier timeout. While paused there is no timer: due steps are kept, and the pause does not count as
 * silence of the upstream. A timeout of 0 never fires.
 */
class PlayedExchange implements UpstreamExchange {
  readonly #script: Script
  readonly #request: UpstreamRequest
  readonly #handler: UpstreamHandler
  #next: 'headers' | number = 'headers'
  #dueAtMs: number
  #isPaused = false
  #isOver = false
  #stopTimer: () => void = () => {}

  constructor(script: Script, request: UpstreamRequest, handler: UpstreamHandler) {
    this.#script = script
    this.#request = request
    this.#handler = handler
    this.#dueAtMs = performance.now() + (script.headersAfterMs ?? Number.POSITIVE_INFINITY)
    this.#wait()
  }

  pause(): void {
    this.#isPaused = true
    this.#stopTimer()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#wait()
  }

  abort(): void {
    this.#isOver = true
    this.#stopTimer()
  }

  #wait(): void {
    if (this.#isPaused || this.#isOver) return
    const remainingMs = Math.max(0, this.#dueAtMs - performance.now())
    const { headersTimeoutMs, bodyTimeoutMs } = this.#request
    const timeoutMs = (this.#next === 'headers' ? headersTimeoutMs : bodyTimeoutMs) || Number.POSITIVE_INFINITY
    if (remainingMs <= timeoutMs && remainingMs !== Number.POSITIVE_INFINITY) {
      this.#stopTimer = startTimer(remainingMs, () => this.#play())
    } else if (timeoutMs !== Number.POSITIVE_INFINITY) {
      this.#stopTimer = startTimer(timeoutMs, () => this.#timeOut(timeoutMs))
    }
  }

  #play(): void {
    const { status, headers, steps } = this.#script
    if (this.#next === 'headers') {
      this.#handler.headers(status, headers)
      this.#follow(0)
      return
    }
    const at = this.#next
    const step = steps[at] ?? ({ kind: 'end' } as const)
    switch (step.kind) {
      case 'bytes':
        this.#handler.data(Buffer.from(step.text))
        this.#follow(at + 1)
        return
      case 'end':
        this.#isOver = true
        this.#handler.end()
        return
      case 'cut':
        this.#fail({ kind: 'broken', message: 'the test model reset the connection' })
        return
      case 'stall':
        return
      default:
        unreachable(step)
    }
  }

  #follow(at: number): void {
    this.#next = at
    this.#dueAtMs = performance.now() + waitBefore(this.#script.steps[at])
    this.#wait()
  }

  #timeOut(timeoutMs: number): void {
    const missing = this.#next === 'headers' ? 'headers' : 'bytes'
    this.#fail({ kind: 'timeout', message: `the test model sent no ${missing} for ${timeoutMs} ms` })
  }

  #fail(failure: UpstreamFailure): void {
    this.#isOver = true
    this.#handler.failed(failure)
  }
}

function waitBefore(step: Step | undefined): number {
  if (step?.kind === 'stall') return Number.POSITIVE_INFINITY
  return step?.kind === 'bytes' ? step.afterMs : 0
}

/**
 * Steps that are due immediately still wait for the next turn, so that no handler is called inside `open` or `resume`.
 */
function startTimer(delayMs: number, act: () => void): () => void {
  if (delayMs > 0) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  }
  const turn = setImmediate(act)
  return () => clearImmediate(turn)
}
