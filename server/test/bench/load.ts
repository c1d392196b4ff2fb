import { LoadConnection, type Outcome } from './load-connection.ts'

export interface Target {
  port: number
  /** Used in turn, so that every client gets its share. */
  requests: readonly Buffer[]
  /** A shorter body is incomplete. */
  bodyBytesMin: number
  /** The required end of the body. */
  tail: string
}

export interface LoadResult {
  completed: number
  errors: number
  /** The first error in full, for the report. */
  firstError: string | null
  elapsedMs: number
  /** Sorted. At a fixed rate they count from the due time of the request, so they include the wait for a connection. */
  latenciesMs: Float64Array
}

/** Runs `concurrency` clients that each wait for the response before the next request. */
export async function runClosedLoop(
  target: Target,
  { concurrency, durationMs }: { concurrency: number; durationMs: number },
): Promise<LoadResult> {
  const judge = createJudge(target)
  const connections = Array.from({ length: concurrency }, () => new LoadConnection(target.port))
  const startMs = performance.now()
  const endMs = startMs + durationMs
  const latenciesMs: number[] = []
  await Promise.all(
    connections.map((connection) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const next = (): void => {
        if (performance.now() >= endMs) return resolve()
        const sentMs = performance.now()
        connection.send(judge.nextRequest(), (outcome) => {
          judge.take(outcome)
          latenciesMs.push(performance.now() - sentMs)
          // A refused connection fails immediately; without a turn of the event loop this would spin.
          if ('failure' in outcome) setImmediate(next)
          else next()
        })
      }
      next()
      return promise
    }),
  )
  // Open requests may finish, because an early disconnect is an event of its own for a gateway.
  const elapsedMs = performance.now() - startMs
  for (const connection of connections) connection.close()
  return { ...judge.result(), elapsedMs, latenciesMs: Float64Array.from(latenciesMs).sort() }
}

interface PacedResult extends LoadResult {
  /** The highest number of requests that waited for a free connection. */
  backlogMax: number
}

/** Sends at a fixed rate, independent of the responses. */
export async function runPaced(
  target: Target,
  { perSecond, durationMs, connectionsMax }: { perSecond: number; durationMs: number; connectionsMax: number },
): Promise<PacedResult> {
  const judge = createJudge(target)
  const idle = Array.from({ length: connectionsMax }, () => new LoadConnection(target.port))
  const all = [...idle]
  const total = Math.floor((durationMs / 1000) * perSecond)
  const latenciesMs = new Float64Array(total)
  const backlog: number[] = []
  const startMs = performance.now()
  const finished = Promise.withResolvers<void>()
  let issued = 0
  let answered = 0
  let backlogMax = 0

  const start = (connection: LoadConnection, dueMs: number): void => {
    connection.send(judge.nextRequest(), (outcome) => {
      judge.take(outcome)
      latenciesMs[answered] = performance.now() - dueMs
      answered += 1
      const waiting = backlog.shift()
      if (waiting !== undefined) setImmediate(start, connection, waiting)
      else idle.push(connection)
      if (answered === total) finished.resolve()
    })
  }
  const timer = setInterval(() => {
    const now = performance.now()
    const due = Math.min(total, Math.floor(((now - startMs) / 1000) * perSecond))
    for (; issued < due; issued += 1) {
      const connection = idle.pop()
      if (connection === undefined) backlog.push(now)
      else start(connection, performance.now())
    }
    backlogMax = Math.max(backlogMax, backlog.length)
    if (issued === total) clearInterval(timer)
  }, 1)
  await finished.promise
  for (const connection of all) connection.close()
  const elapsedMs = performance.now() - startMs
  return { ...judge.result(), elapsedMs, latenciesMs: latenciesMs.sort(), backlogMax }
}

function createJudge(target: Target) {
  let completed = 0
  let errors = 0
  let issued = 0
  let firstError: string | null = null
  return {
    nextRequest(): Buffer {
      const request = target.requests[issued % target.requests.length]
      issued += 1
      if (request === undefined) throw new Error('a target has at least one request')
      return request
    },
    take(outcome: Outcome): void {
      const error = judgeOutcome(outcome, target)
      if (error === null) completed += 1
      else {
        errors += 1
        firstError ??= error
      }
    },
    result: () => ({ completed, errors, firstError }),
  }
}

/** Returns null for a complete response with status 200, else the problem. */
export function judgeOutcome(outcome: Outcome, target: Pick<Target, 'bodyBytesMin' | 'tail'>): string | null {
  if ('failure' in outcome) return outcome.failure
  const { answer, excerpt } = outcome
  if (answer.status !== 200) return excerpt === '' ? `status ${answer.status}` : excerpt
  if (answer.bodyBytes < target.bodyBytesMin) return `a body of ${answer.bodyBytes} bytes, not ${target.bodyBytesMin}`
  return answer.tail.endsWith(target.tail) ? null : `a body that ends with ${JSON.stringify(answer.tail)}`
}
