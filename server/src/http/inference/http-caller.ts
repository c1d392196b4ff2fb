import type { ServerResponse } from 'node:http'
import type { Caller } from '#pipeline/types.ts'

/** The caller's connection. An event stream is written straight to the socket's response, without a copy in between. */
export interface HttpCaller extends Caller {
  /** Sends a document and ends. */
  send(body: string, headers: Readonly<Record<string, string>>): void
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
  response.on('close', () => {
    if (ended) return
    gone = true
    goneListener?.()
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
      response.once('drain', listener)
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
    send: (body, headers) => {
      ended = true
      options.takeOver()
      const length = Buffer.byteLength(body)
      response.writeHead(200, { ...headers, 'content-type': jsonType, 'content-length': length })
      response.end(body)
    },
    handOver: () => {
      ended = true
    },
  }
}

const jsonType = 'application/json; charset=utf-8'

const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx would otherwise collect the stream before passing it on.
  'x-accel-buffering': 'no',
} as const
