import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'

/** Tokens as OpenAI counts them: cached ones and audio are parts of the input. */
export const usualUsage = {
  total_tokens: 132,
  input_tokens: 119,
  output_tokens: 13,
  input_token_details: {
    text_tokens: 100,
    audio_tokens: 19,
    cached_tokens: 64,
    cached_tokens_details: { text_tokens: 60, audio_tokens: 4 },
  },
  output_token_details: { text_tokens: 3, audio_tokens: 10 },
}

/** How responses end from now on. */
export interface RealtimePlay {
  readonly usage?: JsonObject | null
  readonly status?: string
  /** The response stops before `response.done` until it is cancelled. */
  readonly hangs?: true
  /** A cancelled response ends without a word. */
  readonly ignoresCancel?: true
  /** The connection breaks within the response. */
  readonly breaks?: true
  /** The response is rejected by an `error` event. */
  readonly rejects?: JsonObject
  /** Audio of this many bytes comes before the end. */
  readonly audioBytes?: number
  /** The handshake is answered with this status. */
  readonly handshakeStatus?: number
}

export interface RealtimeUpstream {
  readonly url: string
  /** Events of all sessions, in the order of their arrival. */
  readonly received: JsonObject[]
  readonly handshakes: { path: string; headers: IncomingHttpHeaders }[]
  readonly open: number
  /** Bytes that the gateway has not read yet, beyond the buffers of the kernel. */
  readonly unsentBytes: number
  play(play: RealtimePlay): void
  /** Sends an event to every session. */
  say(event: JsonObject): void
  close(): Promise<void>
}

/** The audio that ends speech. */
export const endOfSpeech = Buffer.from('end of speech').toString('base64')

/** OpenAI's Realtime API on a real socket, as far as its money goes. */
export async function startRealtimeUpstream(): Promise<RealtimeUpstream> {
  const received: JsonObject[] = []
  const handshakes: { path: string; headers: IncomingHttpHeaders }[] = []
  let play: RealtimePlay = {}
  const server = createServer((_request, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    const { url: path = '', headers } = request
    handshakes.push({ path, headers })
    if (play.handshakeStatus !== undefined) {
      socket.end(`HTTP/1.1 ${play.handshakeStatus} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const session = new SimulatedSession(client, () => play)
      client.on('message', (data) => {
        const event = parseJsonObject(String(data)) ?? {}
        received.push(event)
        session.hear(event)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    handshakes,
    get open() {
      return sockets.clients.size
    },
    get unsentBytes() {
      return [...sockets.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0)
    },
    play: (next) => {
      play = next
    },
    say: (event) => {
      for (const client of sockets.clients) client.send(JSON.stringify(event))
    },
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

class SimulatedSession {
  readonly #socket: WebSocket
  readonly #play: () => RealtimePlay
  #session: JsonObject = {
    object: 'realtime.session',
    type: 'realtime',
    id: 'sess_simulated',
    model: 'gpt-realtime-2025-08-28',
    output_modalities: ['audio'],
    instructions: 'Be kind.',
    tools: [],
    tracing: null,
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        transcription: null,
        turn_detection: { type: 'server_vad', threshold: 0.5, create_response: true, idle_timeout_ms: null },
      },
      output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'marin', speed: 1 },
    },
  }
  #count = 0
  #running: { id: string; metadata: JsonObject | null } | null = null

  constructor(socket: WebSocket, play: () => RealtimePlay) {
    this.#socket = socket
    this.#play = play
    this.#send({ type: 'session.created', session: this.#session })
  }

  hear(event: JsonObject): void {
    switch (event.type) {
      case 'session.update':
        this.#session = merged(this.#session, objectAt(event, 'session'))
        return this.#send({ type: 'session.updated', session: this.#session })
      case 'conversation.item.create':
        return this.#send({
          type: 'conversation.item.added',
          item: { id: this.#next('item'), ...objectAt(event, 'item') },
        })
      case 'input_audio_buffer.append':
        return event.audio === endOfSpeech ? this.#endSpeech() : undefined
      case 'input_audio_buffer.commit':
        return this.#send({ type: 'input_audio_buffer.committed', item_id: this.#next('item') })
      case 'response.create':
        return this.#respond(objectAt(event, 'response'), stringAt(event, 'event_id') ?? null)
      case 'response.cancel':
        if (this.#play().ignoresCancel !== true) this.#finish('cancelled')
    }
  }

  #endSpeech(): void {
    const item = this.#next('item')
    this.#send({ type: 'input_audio_buffer.speech_started', item_id: item, audio_start_ms: 0 })
    this.#send({ type: 'input_audio_buffer.speech_stopped', item_id: item, audio_end_ms: 500 })
    this.#send({ type: 'input_audio_buffer.committed', item_id: item })
    const detection = objectAt(objectAt(objectAt(this.#session, 'audio'), 'input'), 'turn_detection')
    if (detection.create_response !== false) this.#respond({}, null)
  }

  #respond(asked: JsonObject, eventId: string | null): void {
    const { rejects, breaks, hangs, status = 'completed', audioBytes = 6 } = this.#play()
    if (rejects !== undefined) return this.#send({ type: 'error', error: { ...rejects, event_id: eventId } })
    if (this.#running !== null) {
      const error = { type: 'invalid_request_error', code: 'conversation_already_has_active_response', message: 'No.' }
      return this.#send({ type: 'error', error: { ...error, event_id: eventId } })
    }
    const id = this.#next('resp')
    const metadata = isJsonObject(asked.metadata) ? asked.metadata : null
    this.#running = { id, metadata }
    this.#send({ type: 'response.created', response: { id, status: 'in_progress', metadata, usage: null } })
    this.#send({ type: 'rate_limits.updated', rate_limits: [{ name: 'tokens', limit: 40_000, remaining: 39_000 }] })
    this.#send({
      type: 'response.output_audio.delta',
      response_id: id,
      delta: Buffer.alloc(audioBytes).toString('base64'),
    })
    this.#send({ type: 'response.output_audio_transcript.delta', response_id: id, delta: 'A weir.' })
    if (breaks === true) return this.#socket.terminate()
    if (hangs !== true) this.#finish(status)
  }

  #finish(status: string): void {
    if (this.#running === null) return
    const { id, metadata } = this.#running
    const { usage = usualUsage } = this.#play()
    this.#running = null
    this.#send({ type: 'response.done', response: { id, status, metadata, output: [], usage } })
  }

  #next(prefix: string): string {
    this.#count += 1
    return `${prefix}_${this.#count}`
  }

  #send(event: JsonObject): void {
    this.#socket.send(JSON.stringify({ event_id: this.#next('event'), ...event }))
  }
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const known = result[name]
    result[name] = isJsonObject(value) && isJsonObject(known) ? merged(known, value) : value
  }
  return result
}
