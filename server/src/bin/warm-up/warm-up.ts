import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '#config/config-schema.ts'
import { createRehearsalEdge, type RehearsalEdge } from './rehearsal-edge.ts'
import { createRehearsalPipeline } from './rehearsal-pipeline.ts'
import { type RehearsedKind, rehearsedRequests } from './rehearsed-requests.ts'

/**
 * Runs the code of inference requests before the first client sends one.
 *
 * Node compiles functions while they run, so a request to a new process takes several times the CPU of a later one.
 * Compiled code belongs to a function, not to the objects that call it. So the warm-up creates a second edge and a
 * second pipeline, and sends some hundred requests through them: HTTP, JSON, authentication of an unknown key, every
 * stage, the upstream client, answers as documents and as streams, the charge, the record and the log line.
 *
 * Nothing leaves the process and nothing remains: this folder has a stand-in for everything outside.
 *
 * | Outside | Stand-in |
 * |---|---|
 * | clients | sockets in memory (`memory-socket.ts`) with written-out requests (`rehearsed-requests.ts`) |
 * | Postgres, Redis | two objects that grant everything (`memory-engines.ts`), below the real adapters |
 * | upstreams | a connection in memory (`memory-upstream.ts`), below the real client |
 * | catalogue and routes | two models of their own (`rehearsed-catalogue.ts`) |
 * | metrics and log | a registry that nothing reads, and a destination that writes nothing |
 * | circuits, measurements, sticky accounts | those of the second pipeline |
 *
 * It resolves with the number of answered requests: when all are answered, when the time is over, or when the signal is
 * aborted. It rejects if a request is refused or not answered.
 */
export async function warmUp(config: Config, left: AbortSignal): Promise<number> {
  const faulty = Promise.withResolvers<never>()
  const pipeline = createRehearsalPipeline(config, faulty.reject)
  const edge = await createRehearsalEdge(config, pipeline)
  const signal = AbortSignal.any([left, AbortSignal.timeout(config.warmUp.timeoutMs)])
  try {
    return await Promise.race([rehearse(edge, signal), faulty.promise, rejectLate(signal)])
  } finally {
    edge.close()
    await pipeline.close()
  }
}

/** The requests of one round. Several clients at once share statements, as they do under load. */
const round: readonly { readonly kind: RehearsedKind; readonly clients: number; readonly times: number }[] = [
  { kind: 'document', clients: 1, times: 2 },
  { kind: 'document', clients: 8, times: 1 },
  { kind: 'stream', clients: 4, times: 1 },
  { kind: 'messages', clients: 1, times: 1 },
  { kind: 'responses', clients: 1, times: 1 },
  { kind: 'embeddings', clients: 1, times: 1 },
]
// 1,020 requests: the CPU of a request falls until about the thousandth.
const rounds = 60
const clientsMax = 8

async function rehearse(edge: RehearsalEdge, signal: AbortSignal): Promise<number> {
  const secrets = Array.from({ length: clientsMax }, () => `sk-weir-${randomBytes(20).toString('hex')}`)
  const scenes = round.flatMap(({ kind, clients, times }) => {
    const scene = { send: openConnections(edge, kind, secrets.slice(0, clients)), clients }
    return Array.from({ length: times }, () => scene)
  })
  let answered = 0
  for (let count = 0; count < rounds; count += 1) {
    for (const { send, clients } of scenes) {
      if (signal.aborted) return answered
      await send()
      answered += clients
    }
  }
  return answered
}

/** Sends one request on each connection, and resolves after the last answer. */
function openConnections(edge: RehearsalEdge, kind: RehearsedKind, secrets: readonly string[]): () => Promise<void> {
  let waiting = 0
  let over = Promise.withResolvers<void>()
  const connections = secrets.map((secret) => {
    const { bytes, isEnd } = rehearsedRequests[kind](secret)
    const socket = edge.open((answer) => {
      if (isRefusal(answer)) over.reject(new Error(`a ${kind} request was refused: ${answer.toString('latin1')}`))
      if (!isEnd(answer)) return
      waiting -= 1
      if (waiting === 0) setImmediate(over.resolve)
    })
    return { socket, bytes }
  })
  return () => {
    waiting = connections.length
    over = Promise.withResolvers()
    for (const { socket, bytes } of connections) socket.push(bytes)
    return over.promise
  }
}

function isRefusal(answer: Buffer): boolean {
  const start = answer.toString('latin1', 0, 12)
  return start.startsWith('HTTP/1.1 ') && start !== 'HTTP/1.1 200'
}

// A request takes some milliseconds, and some ten times as long in the first round.
const answerMsMax = 1_000

/** A request that is never answered must not keep the process from serving. */
async function rejectLate(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  await wait(answerMsMax, undefined, { ref: false })
  throw new Error(`a request was not answered within ${answerMsMax} ms`)
}
