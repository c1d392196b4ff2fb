import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server, Socket } from 'node:net'
import { answerByItself } from './answer-by-itself.ts'
import { answerFast } from './fast-answer.ts'
import { createFastFront } from './fast-front.ts'
import { Gates } from './gates.ts'
import { isJsonObject, parseJson } from './json-value.ts'
import { playSteps } from './play-steps.ts'
import { RequestLog } from './request-log.ts'
import type { RecordedRequest } from './request-log.ts'
import type { FastScenario, Scenario, StepsScenario } from './scenario.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'
import { jsonAnswer } from './scenarios/json-answer.ts'
import { shapeSteps } from './shape-steps.ts'
import { type StrictHost, strictRefusal } from './strict-hosts.ts'

export type { RecordedRequest } from './request-log.ts'
export type { Scenario } from './scenario.ts'

export interface Simulator {
  /** For example `http://127.0.0.1:40123`, without a path. */
  readonly url: string
  /** The certificate of a TLS simulator, for a client that should trust it. */
  readonly certificatePem: string | null
  readonly requests: RecordedRequest[]
  /** Plays this for all following requests, until changed. */
  play(scenario: Scenario): void
  /** Queues scenarios, one per request, before the default. */
  playNext(...scenarios: Scenario[]): void
  /** Opens a gate of the running scenarios. */
  release(gate: string): void
  /** Resolves when a request waits at the gate. */
  waitForGate(gate: string): Promise<void>
  waitForRequests(count: number): Promise<void>
  /** Resolves when the peer of that request (or of any, without an index) has closed early. */
  waitForAbort(index?: number): Promise<void>
  openConnections(): number
  /** Clears requests, queue and gates; the default scenario stays. */
  forget(): void
  close(): Promise<void>
}

interface SimulatorOptions {
  port?: number
  scenario?: Scenario
  tls?: 'self-signed'
  /** Rejects requests that this upstream would reject, in its own words, before anything is played. */
  strict?: StrictHost
  /** False saves load tests the memory of every request; waiting for requests is then impossible. */
  record?: boolean
}

/** Starts an upstream on a real socket. Without a scenario it echoes, in OpenAI's format. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const stage = new Stage(options)
  const certificate = options.tls === undefined ? null : await selfSignedCertificate()
  const server = certificate === null ? createHttpServer() : createHttpsServer(certificate)
  const isFastPossible = options.record === false && certificate === null
  const listener = isFastPossible ? createFastFront(server, () => stage.currentFast()) : server
  const sockets = watchConnections(listener, stage)
  // A simulator must never give up first: no limit on idle connections, slow heads or slow bodies.
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0, timeout: 0 })
  server.on('request', (request, response) => {
    void stage.serve(request, response)
  })
  listener.listen(options.port ?? 0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `${certificate === null ? 'http' : 'https'}://127.0.0.1:${portOf(listener)}`,
    certificatePem: certificate?.cert ?? null,
    requests: stage.log.requests,
    play: (scenario) => {
      stage.current = scenario
    },
    playNext: (...scenarios) => {
      stage.queue.push(...scenarios)
    },
    release: (gate) => stage.gates.release(gate),
    waitForGate: (gate) => stage.gates.waitForArrival(gate),
    waitForRequests: (count) => stage.log.waitForRequests(count),
    waitForAbort: (index) => stage.log.waitForAbort(index),
    openConnections: () => sockets.size,
    forget: () => stage.forget(),
    close: () => closeListener(listener, sockets, stage),
  }
}

/** The scenarios and requests of one simulator. */
class Stage {
  readonly log = new RequestLog()
  readonly gates = new Gates()
  readonly queue: Scenario[] = []
  current: Scenario
  isClosing = false
  readonly #isRecording: boolean
  readonly #strict: StrictHost | null

  constructor(options: SimulatorOptions) {
    this.current = options.scenario ?? { kind: 'echo' }
    this.#isRecording = options.record ?? true
    this.#strict = options.strict ?? null
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const scenario = this.queue.shift() ?? this.current
    const recorded = emptyRecord(request)
    const closed = new AbortController()
    let isOurs = false
    response.once('close', () => {
      if (!response.writableFinished && !isOurs && !this.isClosing) this.log.markAborted(recorded)
      closed.abort()
    })
    // Unread bodies are not kept: load tests send gigabytes.
    await readBody(request, recorded, this.#isRecording || scenario.kind !== 'steps')
    if (this.#isRecording) this.log.add(recorded)
    if (closed.signal.aborted) return
    const refusal = this.#strict === null ? null : strictRefusal(this.#strict, recorded)
    const chosen = refusal === null ? choose(scenario, recorded) : jsonAnswer(refusal.status, refusal.body)
    if (chosen.kind === 'fast') return answerFast(recorded.rawBody, response, chosen)
    const willBreak = () => {
      isOurs = true
    }
    const steps = await shapeSteps(chosen)
    await playSteps({ steps, response, gates: this.gates, signal: closed.signal, willBreak, recorded })
  }

  /** The scenario of the next request, if it is a fast one. */
  currentFast(): FastScenario | null {
    return this.queue.length === 0 && this.current.kind === 'fast' ? this.current : null
  }

  forget(): void {
    this.log.forget()
    this.queue.length = 0
    this.gates.reset()
  }
}

function choose(scenario: Scenario, request: RecordedRequest): StepsScenario | FastScenario {
  switch (scenario.kind) {
    case 'steps':
    case 'fast':
      return scenario
    case 'echo':
      return answerByItself(request, scenario)
    case 'by-request':
      return choose(
        isJsonObject(request.body) && request.body.stream === true ? scenario.stream : scenario.json,
        request,
      )
    case 'by-mark': {
      const [, marked] = Object.entries(scenario.marks).find(([mark]) => request.rawBody.includes(mark)) ?? []
      return choose(marked ?? { kind: 'echo' }, request)
    }
    case 'reset-on-accept':
      return { kind: 'steps', steps: [{ do: 'reset' }] }
    default:
      return scenario satisfies never
  }
}

function emptyRecord(request: IncomingMessage): RecordedRequest {
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, rawBody: '', body: null, receivedAtMs: Date.now(), waitedUntilMs: [], aborted: false }
}

/** A peer that disconnects during its upload leaves the received part. */
async function readBody(request: IncomingMessage, recorded: RecordedRequest, isKept: boolean): Promise<void> {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => {
    if (isKept) parts.push(part)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const event of ['end', 'close', 'error']) request.once(event, () => resolve())
  await promise
  recorded.rawBody = Buffer.concat(parts).toString('utf8')
  recorded.body = recorded.rawBody === '' ? null : parseJson(recorded.rawBody)
}

function watchConnections(listener: Server, stage: Stage): Set<Socket> {
  const sockets = new Set<Socket>()
  listener.on('connection', (socket: Socket) => {
    if (stage.current.kind === 'reset-on-accept') {
      socket.resetAndDestroy()
      return
    }
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

function portOf(listener: Server): number {
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('The simulator listens on no port.')
  return address.port
}

async function closeListener(listener: Server, sockets: Set<Socket>, stage: Stage): Promise<void> {
  stage.isClosing = true
  if (!listener.listening) return
  const closed = once(listener, 'close')
  listener.close()
  for (const socket of sockets) socket.destroy()
  await closed
}
