import { makeRequests } from '../bench-requests.ts'
import type { Mode } from '../mock-answers.ts'
import type { BenchDialect } from '../stream-forms.ts'
import type { MemoryGateway } from './memory-edge.ts'
import { secrets } from './memory-world.ts'

/** Sends one request on each of several open connections, and resolves with the last response. */
export interface Scenario {
  send(): Promise<void>
  readonly requests: number
}

export const scenarios = {
  json: (gateway: MemoryGateway, clients: number) => createScenario(gateway, clients, chat('json'), endsDocument),
  stream: (gateway: MemoryGateway, clients: number) => createScenario(gateway, clients, chat('burst'), endsStream),
  longStream: (gateway: MemoryGateway, clients: number) => createScenario(gateway, clients, chat('long'), endsStream),
  translated: (gateway: MemoryGateway, clients: number) =>
    createScenario(gateway, clients, chat('burst', 'messages'), endsStream),
  longTranslated: (gateway: MemoryGateway, clients: number) =>
    createScenario(gateway, clients, chat('long', 'messages'), endsStream),
  media: (gateway: MemoryGateway, clients: number) => createScenario(gateway, clients, embeddings, endsDocument),
  refused: (gateway: MemoryGateway, clients: number) =>
    createScenario(gateway, clients, () => chat('json')('sk-weir-unknown'), endsDocument),
} satisfies Record<string, (gateway: MemoryGateway, clients: number) => Scenario>

export type ScenarioName = keyof typeof scenarios

type RequestOf = (secret: string) => Buffer

function chat(mode: Mode, dialect: BenchDialect = 'chat'): RequestOf {
  return (secret) => {
    const callers = [{ authorization: `Bearer ${secret}` }]
    const [request] = makeRequests({ model: 'openai/gpt-4o-mini', dialect, callers }, mode)
    if (request === undefined) throw new Error('there is no request')
    return request
  }
}

function embeddings(secret: string): Buffer {
  const body = JSON.stringify({
    model: 'openai/text-embedding-3-small',
    input: 'The river is wide here and slow in summer. '.repeat(20),
  })
  return Buffer.from(
    `POST /v1/embeddings HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${secret}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

function createScenario(
  gateway: MemoryGateway,
  clients: number,
  requestOf: RequestOf,
  isEnd: (bytes: Buffer) => boolean,
): Scenario {
  let waiting = 0
  let done: (() => void) | undefined
  const connections = secrets.slice(0, clients).map((secret) => {
    const socket = gateway.connect((bytes) => {
      if (!isEnd(bytes)) return
      waiting -= 1
      if (waiting === 0) done?.()
    })
    return { socket, request: requestOf(secret) }
  })
  return {
    requests: clients,
    send: () =>
      new Promise((resolve) => {
        waiting = clients
        // The next turn begins only after all remaining work of the last response is done.
        done = () => setImmediate(() => setImmediate(resolve))
        for (const { socket, request } of connections) socket.push(request)
      }),
  }
}

function endsDocument(bytes: Buffer): boolean {
  return bytes.at(-1) === '}'.charCodeAt(0)
}

function endsStream(bytes: Buffer): boolean {
  return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n'
}
