import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'

/** A received delivery. */
export interface ReceivedCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: JsonObject
  readonly atMs: number
}

/** A receiver of video webhooks. */
export interface WebhookReceiver {
  readonly url: string
  readonly calls: readonly ReceivedCall[]
  /** The number of connections, even without data. */
  readonly connections: number
  close(): Promise<void>
}

export type AnswerCall = (call: ReceivedCall, response: ServerResponse) => void | Promise<void>

export const takeCall: AnswerCall = (_call, response) => void response.writeHead(204).end()

export async function startWebhookReceiver(
  answer: AnswerCall = takeCall,
  { host = '127.0.0.1' } = {},
): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body, json: parseJsonObject(body) ?? {}, atMs: Date.now() }
    calls.push(call)
    await answer(call, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://${host}:${taken}`,
    calls,
    get connections() {
      return connections
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
