import { Agent, type Dispatcher } from 'undici'
import type { UpstreamExchange, UpstreamFailure, UpstreamHandler, UpstreamRequest, Upstreams } from '#ports/upstream.ts'

export interface UpstreamClient extends Upstreams {
  close(): Promise<void>
}

/**
 * Exchanges over the network. `dispatch` with a handler object is the cheapest way undici has: its `fetch` and web streams
 * cost several times as much per request (see docs/ARCHITECTURE.md).
 */
export function createUpstreamClient(options: { connectTimeoutMs: number; connectionsMax: number }): UpstreamClient {
  const agent = new Agent({
    connect: { timeout: options.connectTimeoutMs },
    connections: options.connectionsMax,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 300_000,
    // Redirects are never followed: an upstream must not send our credential elsewhere.
    maxHeaderSize: 32_768,
  })
  return { open: (request, handler) => openExchange(agent, request, handler), close: () => agent.destroy() }
}

function openExchange(agent: Agent, request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
  let controller: Dispatcher.DispatchController | null = null
  let isOver = false
  let isPaused = false

  function over(): boolean {
    const was = isOver
    isOver = true
    return was
  }

  agent.dispatch(
    {
      origin: request.origin,
      path: request.path,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      headersTimeout: request.headersTimeoutMs,
      bodyTimeout: request.bodyTimeoutMs,
    },
    {
      onRequestStart: (started) => {
        controller = started
        if (isOver) started.abort(new Error('abandoned'))
        else if (isPaused) started.pause()
      },
      onResponseStart: (_controller, status, headers) => {
        if (!isOver && status >= 200) handler.headers(status, headers)
      },
      onResponseData: (_controller, bytes) => {
        if (!isOver) handler.data(bytes)
      },
      onResponseEnd: () => {
        if (!over()) handler.end()
      },
      onResponseError: (_controller, error) => {
        if (!over()) handler.failed(failureOf(error))
      },
    },
  )

  return {
    pause: () => {
      isPaused = true
      controller?.pause()
    },
    resume: () => {
      isPaused = false
      controller?.resume()
    },
    abort: () => {
      if (!over()) controller?.abort(new Error('abandoned'))
    },
  }
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const brokenCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

function failureOf(error: Error): UpstreamFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (timeoutCodes.has(code)) return { kind: 'timeout', message: 'The upstream did not answer in time.' }
  if (brokenCodes.has(code) || code.startsWith('HPE_')) {
    return { kind: 'broken', message: 'The upstream broke the connection.' }
  }
  return { kind: 'unreachable', message: `The upstream could not be reached${code === '' ? '' : ` (${code})`}.` }
}
