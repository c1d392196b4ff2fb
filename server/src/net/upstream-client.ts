import { Agent, type buildConnector, type Dispatcher } from 'undici'
import type { LookupFunction } from 'node:net'
import { openBody } from './body-stream.ts'
import type { UpstreamExchange, UpstreamFailure, UpstreamHandler, UpstreamRequest, Upstreams } from '#ports/upstream.ts'

export interface UpstreamClient extends Upstreams {
  /** Closes every connection after its current exchange. */
  retire(): Promise<void>
  close(): Promise<void>
}

/**
 * Exchanges over the network. `dispatch` with a handler object is undici's cheapest API: `fetch` and web streams cost
 * several times as much per request (see docs/ARCHITECTURE.md).
 */
export function createUpstreamClient(options: UpstreamClientOptions): UpstreamClient {
  const agent = new Agent({
    connect: options.connect ?? connectOptions(options),
    connections: options.connectionsMax,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 300_000,
    // Redirects are never followed: an upstream must not send our credential elsewhere.
    maxHeaderSize: 32_768,
  })
  return {
    open: (request, handler) => openExchange(agent, request, handler),
    retire: () => agent.close(),
    close: () => agent.destroy(),
  }
}

interface UpstreamClientOptions {
  connectTimeoutMs: number
  connectionsMax: number
  /** Replaces undici's connector. It must handle its own timeout. */
  connect?: buildConnector.connector
  /** Replaces the system's lookup in undici's connector. */
  lookup?: LookupFunction
}

function connectOptions({ connectTimeoutMs: timeout, lookup }: UpstreamClientOptions): buildConnector.BuildOptions {
  return lookup === undefined ? { timeout } : { timeout, lookup }
}

/** One request and its response. undici's handler and our exchange are one object, because there is one per request. */
class NetworkExchange implements UpstreamExchange, Dispatcher.DispatchHandler {
  readonly #handler: UpstreamHandler
  #controller: Dispatcher.DispatchController | null = null
  #isOver = false
  #isPaused = false

  constructor(handler: UpstreamHandler) {
    this.#handler = handler
  }

  pause(): void {
    this.#isPaused = true
    this.#controller?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#controller?.resume()
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort(new Error('abandoned'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('abandoned'))
    else if (this.#isPaused) controller.pause()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (!this.#isOver && status >= 200) this.#handler.headers(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (!this.#isOver) this.#handler.data(bytes)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#handler.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#handler.failed(failureOf(error))
  }
}

function openExchange(agent: Agent, request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
  const exchange = new NetworkExchange(handler)
  agent.dispatch(
    {
      origin: request.origin,
      path: request.path,
      method: request.method ?? 'POST',
      ...contentOf(request),
      headersTimeout: request.headersTimeoutMs,
      bodyTimeout: request.bodyTimeoutMs,
    },
    exchange,
  )
  return exchange
}

function contentOf({ method, headers, body }: UpstreamRequest): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (method === 'GET') return { headers, body: null }
  if (typeof body === 'string') return { headers, body }
  const { stream, byteCount } = openBody(body)
  return { headers: { ...headers, 'content-length': String(byteCount) }, body: stream }
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const brokenCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

function failureOf(error: Error): UpstreamFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (timeoutCodes.has(code)) return { kind: 'timeout', message: 'The upstream timed out.' }
  if (brokenCodes.has(code) || error.name === 'HTTPParserError') {
    return { kind: 'broken', message: 'The upstream closed the connection.' }
  }
  return { kind: 'unreachable', message: `The upstream could not be reached${code === '' ? '' : ` (${code})`}.` }
}
