import type { RecordedRequest, Scenario } from './start-simulator.ts'

/** The methods of `Simulator` for one in another process: the same names, but each is a round trip. */
export interface ControlledSimulator {
  readonly url: string
  requests(): Promise<RecordedRequest[]>
  play(scenario: Scenario): Promise<void>
  playNext(...scenarios: Scenario[]): Promise<void>
  release(gate: string): Promise<void>
  waitForGate(gate: string): Promise<void>
  waitForRequests(count: number): Promise<void>
  waitForAbort(index?: number): Promise<void>
  openConnections(): Promise<number>
  forget(): Promise<void>
  close(): Promise<void>
}

/** A client for the addresses that `main.ts` prints. */
export function controlSimulator({ url, control }: { url: string; control: string }): ControlledSimulator {
  const post = async (path: string, body: object = {}): Promise<void> => {
    await call(control + path, { method: 'POST', body: JSON.stringify(body) })
  }
  const get = async (path: string) => (await call(control + path, { method: 'GET' })).json()
  return {
    url,
    requests: async () => requestsFrom(await get('/requests')),
    play: (scenario) => post('/play', { scenario }),
    playNext: (...scenarios) => post('/play-next', { scenarios }),
    release: (gate) => post('/release', { gate }),
    waitForGate: (gate) => post('/wait-for-gate', { gate }),
    waitForRequests: (count) => post('/wait-for-requests', { count }),
    waitForAbort: (index) => post('/wait-for-abort', { index }),
    openConnections: async () => Number(await get('/open-connections')),
    forget: () => post('/forget'),
    close: () => post('/close'),
  }
}

async function call(address: string, init: RequestInit): Promise<Response> {
  // Without keep-alive, so that a closing simulator can end immediately.
  const response = await fetch(address, { ...init, headers: { connection: 'close' } })
  if (!response.ok) throw new Error(`The simulator's control answered ${response.status} to ${address}.`)
  return response
}

function requestsFrom(value: unknown): RecordedRequest[] {
  if (!Array.isArray(value)) throw new Error('The simulator answered something else than its requests.')
  return value
}
