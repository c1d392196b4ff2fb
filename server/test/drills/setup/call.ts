import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { type Readable } from 'node:stream'
import { parseGenerationId } from '#domain/ledger/generation-id.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

/** The client's view of one request. */
export interface Transcript {
  readonly gateway: string
  readonly streamed: boolean
  /** False for responses without a cost field, such as audio. */
  readonly tellsCost: boolean
  readonly startedAtMs: number
  durationMs: number
  /** Null if no head arrived. */
  status: number | null
  /** The generation's UUID, from the response header. */
  generationId: string | null
  /** The shown cost in nano-USD, or null. */
  costNano: bigint | null
  /** The shown error code, in the body or in a frame. */
  errorCode: string | null
  retryAfterS: number | null
  sawDone: boolean
  chunks: number
  /** Empty until the response has ended. */
  text: string
  /** `broken`: the connection ended before the response. `left`: the client disconnected. */
  end: 'running' | 'complete' | 'broken' | 'left'
  cause: string | null
}

export interface Call {
  /** Resolves when the response has ended in any way. */
  readonly ended: Promise<Transcript>
  readonly soFar: Transcript
  waitForChunks(count: number): Promise<void>
  waitForHead(): Promise<void>
  /** Resolves when this text has arrived, or the response has ended without it. */
  waitForText(text: string): Promise<void>
  leave(how: 'fin' | 'rst'): void
  pauseReading(): void
  resumeReading(): void
}

interface CallOptions {
  url: string
  key: string
  body: JsonObject | SentContent
  path?: string
  headers?: Readonly<Record<string, string>>
}

/** A body other than JSON, generated while it is sent. */
export interface SentContent {
  readonly contentType: string
  readonly byteCount: number
  open(): Readable
}

// Only ends requests that would never end.
const hangMs = 300_000

/** Posts a request over its own connection, by default to chat, and records the response. It never throws. */
export function openCall({ url, key, body, path = '/v1/chat/completions', headers = {} }: CallOptions): Call {
  const startedAtMs = Date.now()
  const content = isContent(body) ? body : null
  const seen = emptyTranscript({ url, body, path, startedAtMs })
  const ended = Promise.withResolvers<Transcript>()
  const { wake, waitUntil } = createWatch(seen)
  let response: IncomingMessage | null = null
  const parts: string[] = []
  // A possible start of a marker that continues in the next part; too short to contain a whole one.
  let tail = ''

  const sent: ClientRequest = httpRequest(url + path, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, ...headersOf(content), ...headers },
  })
  const timer = setTimeout(() => finish('broken', `no end in ${hangMs} ms`), hangMs)

  function finish(end: Transcript['end'], cause: string | null): void {
    if (seen.end !== 'running') return
    clearTimeout(timer)
    seen.end = end
    seen.cause = cause
    seen.durationMs = Date.now() - startedAtMs
    seen.text = parts.join('')
    readText(seen)
    sent.destroy()
    wake()
    ended.resolve(seen)
  }

  sent.on('error', (error) => finish('broken', error.message))
  sent.on('response', (arrived) => {
    response = arrived
    seen.status = arrived.statusCode ?? null
    seen.generationId = parseGenerationId(String(arrived.headers['x-generation-id'] ?? '')) ?? null
    seen.retryAfterS = arrived.headers['retry-after'] === undefined ? null : Number(arrived.headers['retry-after'])
    arrived.setEncoding('utf8')
    arrived.on('data', (part: string) => {
      parts.push(part)
      const found = (tail + part).match(/"content":"[^"]/g) ?? []
      seen.chunks += found.length
      tail = part.slice(-tailLength)
      wake()
    })
    arrived.on('end', () => finish(arrived.complete ? 'complete' : 'broken', null))
    arrived.on('error', (error) => finish('broken', error.message))
    arrived.on('close', () => finish('broken', 'the connection closed'))
    wake()
  })
  if (content === null) sent.end(JSON.stringify(body))
  else content.open().pipe(sent)

  return {
    ended: ended.promise,
    soFar: seen,
    waitForChunks: (count) => waitUntil(() => seen.chunks >= count),
    waitForHead: () => waitUntil(() => seen.status !== null),
    waitForText: (text) => waitUntil(() => parts.join('').includes(text)),
    leave: (how) => {
      if (how === 'rst') sent.socket?.resetAndDestroy()
      else sent.socket?.end()
      finish('left', null)
    },
    pauseReading: () => response?.pause(),
    resumeReading: () => response?.resume(),
  }
}

function createWatch(seen: Transcript): { wake(): void; waitUntil(isMet: () => boolean): Promise<void> } {
  const watchers: { isMet: () => boolean; resolve: () => void }[] = []
  return {
    wake: () => {
      for (const watcher of watchers) if (watcher.isMet() || seen.end !== 'running') watcher.resolve()
    },
    waitUntil: (isMet) => {
      if (isMet() || seen.end !== 'running') return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      watchers.push({ isMet, resolve })
      return promise
    },
  }
}

const tailLength = '"content":"'.length

export function isContent(body: JsonObject | SentContent): body is SentContent {
  return typeof body['open'] === 'function'
}

function headersOf(content: SentContent | null): Record<string, string> {
  if (content === null) return { 'content-type': 'application/json' }
  return { 'content-type': content.contentType, 'content-length': String(content.byteCount) }
}

function emptyTranscript(sent: Pick<CallOptions, 'url' | 'body'> & { path: string; startedAtMs: number }): Transcript {
  return {
    gateway: sent.url,
    streamed: !isContent(sent.body) && sent.body['stream'] === true,
    tellsCost: sent.path !== '/v1/audio/speech',
    startedAtMs: sent.startedAtMs,
    durationMs: 0,
    status: null,
    generationId: null,
    costNano: null,
    errorCode: null,
    retryAfterS: null,
    sawDone: false,
    chunks: 0,
    text: '',
    end: 'running',
    cause: null,
  }
}

// The cost is read from the text itself, because a parsed number has already lost digits.
function readText(seen: Transcript): void {
  const cost = /"cost":(-?[\d.]+)/.exec(seen.text)?.[1]
  seen.costNano = cost === undefined ? null : parseUsd(cost)
  seen.errorCode = /"error":\{.*?"code":"?([\w.-]+)/.exec(seen.text)?.[1] ?? null
  seen.sawDone = seen.text.endsWith('data: [DONE]\n\n')
}
