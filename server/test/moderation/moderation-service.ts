import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'

/** A moderation service in OpenAI's format that flags every text with the word `forbidden`, or behaves as told. */
export interface ModerationService {
  url: string
  requests: { headers: IncomingMessage['headers']; path: string; body: JsonObject }[]
  connections(): number
  /** Sets its behaviour. */
  behave(how: Behaviour): void
  close(): Promise<void>
}

export type Behaviour = 'answer' | 'hang' | 'break' | { status: number; body: string }

export async function startModerationService(): Promise<ModerationService> {
  let behaviour: Behaviour = 'answer'
  let connections = 0
  const requests: ModerationService['requests'] = []
  // Connections are kept as long as the gateway keeps them.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const body = parseJsonObject(await read(request)) ?? {}
    requests.push({ headers: request.headers, path: request.url ?? '', body })
    act(behaviour, body, response)
  })
  server.on('connection', () => void (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/v1/`,
    requests,
    connections: () => connections,
    behave: (how) => {
      behaviour = how
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}

function act(behaviour: Behaviour, body: JsonObject, response: ServerResponse): void {
  if (behaviour === 'hang') return
  if (behaviour === 'break') return void response.destroy()
  if (behaviour !== 'answer') return void response.writeHead(behaviour.status).end(behaviour.body)
  const inputs = Array.isArray(body.input) ? body.input : []
  const results = inputs.map((input) => {
    const flagged = String(input).includes('forbidden')
    return { flagged, categories: { violence: flagged, hate: false }, category_scores: {} }
  })
  const answer = { id: 'modr-1', model: body.model, results }
  if (!isJsonObject(answer)) return
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}
