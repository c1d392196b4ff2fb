import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonObject, objectsIn, parseJsonObject } from '#lib/json.ts'
import type { Greed, Portion } from './greed.ts'
import { answerChat } from './greedy-chat.ts'
import { answerMessage } from './greedy-messages.ts'

export interface GreedyUpstream {
  readonly url: string
  readonly caps: (number | null)[]
  play(greed: Greed): void
  close(): Promise<void>
}

/**
 * An upstream that respects its cap and bills every nano-dollar within it. It speaks OpenAI's protocol, and Anthropic's
 * for Messages.
 */
export async function startGreedyUpstream(): Promise<GreedyUpstream> {
  let greed: Greed = { wants: 10 }
  const caps: (number | null)[] = []
  const server = createServer((request, response) => {
    serve(request, response, { greed, caps }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caps,
    play: (next) => {
      greed = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { greed, caps }: { greed: Greed; caps: (number | null)[] },
): Promise<void> {
  let text = ''
  for await (const piece of request) text += String(piece)
  // The gateway requests the models when an own key is added.
  if (request.method === 'GET') return answerJson(response, 200, { object: 'list', data: [] })
  const body = parseJsonObject(text) ?? {}
  const cap = capOf(body, greed)
  caps.push(cap)
  greed.gate?.arrive()
  await greed.gate?.opened
  if (greed.status !== undefined) return answerJson(response, greed.status, { error: { message: 'no' } })
  const portion: Portion = {
    made: greed.ignoresCap === true || cap === null ? greed.wants : Math.min(greed.wants, cap),
    choices: typeof body.n === 'number' ? body.n : 1,
    searches: searchesOf(greed, body),
    isStream: body.stream === true,
  }
  await (request.url?.endsWith('/messages') ? answerMessage : answerChat)(response, greed, portion)
}

function capOf(body: JsonObject, { knowsCap }: Greed): number | null {
  const known = knowsCap === undefined ? ['max_tokens', 'max_completion_tokens'] : [knowsCap]
  return known.map((name) => body[name]).find((cap) => typeof cap === 'number') ?? null
}

/** The sum of the allowed searches; a tool without a maximum may search any number of times. */
function searchesOf({ searches = 0, ignoresCap = false }: Greed, { tools }: JsonObject): number {
  const allowed = objectsIn(tools).flatMap((tool) => (typeof tool.max_uses === 'number' ? [tool.max_uses] : []))
  if (searches === 0 || ignoresCap || allowed.length === 0) return searches
  return allowed.reduce((sum, uses) => sum + uses, 0)
}

function answerJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
