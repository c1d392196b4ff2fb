import { WebSocket } from 'ws'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'

export interface RealtimeClient {
  /** Every event so far. */
  readonly events: JsonObject[]
  readonly closed: Promise<{ code: number; reason: string }>
  readonly protocol: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  send(event: JsonObject): void
  sendText(text: string | Buffer): void
  /** The event of this type with this position among those of its type, once it is there. */
  next(type: string, position?: number): Promise<JsonObject>
  /** Stops and continues to read from the network. */
  pause(): void
  resume(): void
  close(): Promise<void>
  /** Breaks the connection off. */
  drop(): void
}

interface Handshake {
  readonly key?: string
  readonly model?: string
  readonly path?: string
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a session. Rejects with the status and the body if the gateway answers without a WebSocket. */
export async function openRealtime(
  url: string,
  { key, model = 'openai/gpt-realtime', path = '/v1/realtime', protocols = [], headers = {} }: Handshake,
): Promise<RealtimeClient> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const query = model === '' ? '' : `?model=${encodeURIComponent(model)}`
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}${query}`, [...protocols], {
    headers: { ...authorization, ...headers },
    perMessageDeflate: false,
  })
  const events: JsonObject[] = []
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  let isClosed = false
  void closed.then(() => {
    isClosed = true
    arrived.resolve()
  })
  let arrived = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    events.push(parseJsonObject(String(data)) ?? {})
    arrived.resolve()
    arrived = Promise.withResolvers<void>()
  })
  const eventOf = async (type: string, position: number): Promise<JsonObject> => {
    for (;;) {
      const found = events.filter((event) => event.type === type)[position]
      if (found !== undefined) return found
      if (isClosed) throw new Error(`closed without ${type} after ${JSON.stringify(events)}`)
      await arrived.promise
    }
  }
  const upgraded: { headers: Readonly<Record<string, string | string[] | undefined>> } = { headers: {} }
  socket.once('upgrade', (response) => {
    upgraded.headers = response.headers
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (piece) => {
        body += String(piece)
      })
      response.on('end', () => reject(new RefusedHandshake(response.statusCode ?? 0, body)))
    })
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return {
    events,
    closed,
    protocol: socket.protocol,
    headers: upgraded.headers,
    send: (event) => socket.send(JSON.stringify(event)),
    sendText: (text) => socket.send(text),
    next: (type, position = 0) => eventOf(type, position),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: async () => {
      socket.close()
      await closed
    },
    drop: () => socket.terminate(),
  }
}

export class RefusedHandshake extends Error {
  readonly status: number
  readonly json: JsonObject
  constructor(status: number, body: string) {
    super(`refused with ${status}: ${body}`)
    this.status = status
    this.json = parseJsonObject(body) ?? {}
  }
}

/** The status and the body with which the gateway refuses a handshake. */
export async function refusedHandshake(url: string, handshake: Handshake): Promise<RefusedHandshake> {
  try {
    const client = await openRealtime(url, handshake)
    client.drop()
  } catch (error) {
    if (error instanceof RefusedHandshake) return error
    throw error
  }
  throw new Error('the session was opened')
}
