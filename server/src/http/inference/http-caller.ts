import type { ServerResponse } from 'node:http'
import type { Caller } from '#pipeline/types.ts'

/** The caller's connection. An event stream is written straight to the socket's response, without a copy in between. */
export interface HttpCaller extends Caller {
  /** The answer is left to the edge: closing is no longer the caller leaving. */
  handOver(): void
}

export function createHttpCaller(
  response: ServerResponse,
  options: { nowMs: () => number; takeOver: () => void },
): HttpCaller {
  let gone = false
  let ended = false
  let streaming = false
  let quietSinceMs = options.nowMs()
  let goneListener: (() => void) | null = null
  let drainListener: (() => void) | null = null

  response.on('close', () => {
    if (ended) return
    gone = true
    goneListener?.()
  })
  response.on('drain', () => {
    const listener = drainListener
    drainListener = null
    listener?.()
  })

  return {
    get gone() {
      return gone
    },
    get streaming() {
      return streaming
    },
    get quietSinceMs() {
      return ended ? Number.POSITIVE_INFINITY : quietSinceMs
    },
    onGone: (listener) => {
      goneListener = listener
      if (gone) listener()
    },
    onDrain: (listener) => {
      drainListener = listener
    },
    startStream: (headers) => {
      if (streaming || gone) return
      streaming = true
      options.takeOver()
      response.writeHead(200, { ...headers, ...eventStreamHeaders })
    },
    write: (bytes) => {
      if (gone || ended) return true
      quietSinceMs = options.nowMs()
      return response.write(bytes)
    },
    end: () => {
      ended = true
      response.end()
    },
    handOver: () => {
      ended = true
    },
  }
}

const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx would otherwise collect the stream before passing it on.
  'x-accel-buffering': 'no',
} as const
