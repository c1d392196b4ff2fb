import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { JsonValue } from './json-value.ts'
import type { Scenario, Simulator } from './start-simulator.ts'

/** The body of a control request; the path decides which field counts. */
interface ControlBody {
  scenario: Scenario
  scenarios: Scenario[]
  gate: string
  count: number
  index?: number
}

/**
 * Serves a simulator's methods over HTTP: POST /play, /play-next, /release, /wait-for-gate, /wait-for-requests,
 * /wait-for-abort, /forget and /close; GET /requests and /open-connections. The waits respond when they are over.
 */
export async function startControl(simulator: Simulator, port = 0): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    const name = `${request.method} ${request.url}`
    const command = commands[name]
    if (command === undefined) {
      response.writeHead(404).end()
      return
    }
    const result = await command(simulator, raw === '' ? emptyBody : JSON.parse(raw))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null))
    if (name === 'POST /close') server.close()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The control listens on no port.')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${address.port}`, close }
}

const emptyBody: ControlBody = { scenario: { kind: 'echo' }, scenarios: [], gate: '', count: 0 }

type Command = (simulator: Simulator, body: ControlBody) => void | Promise<void> | JsonValue | Simulator['requests']

const commands: Record<string, Command> = {
  'POST /play': (simulator, { scenario }) => simulator.play(scenario),
  'POST /play-next': (simulator, { scenarios }) => simulator.playNext(...scenarios),
  'POST /release': (simulator, { gate }) => simulator.release(gate),
  'POST /wait-for-gate': (simulator, { gate }) => simulator.waitForGate(gate),
  'POST /wait-for-requests': (simulator, { count }) => simulator.waitForRequests(count),
  'POST /wait-for-abort': (simulator, { index }) => simulator.waitForAbort(index),
  'POST /forget': (simulator) => simulator.forget(),
  'POST /close': (simulator) => simulator.close(),
  'GET /requests': (simulator) => simulator.requests,
  'GET /open-connections': (simulator) => simulator.openConnections(),
}
