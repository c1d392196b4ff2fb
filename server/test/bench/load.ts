import { LoadConnection, type Outcome } from './load-connection.ts'

export interface Target {
  port: number
  /** Taken in turn, so that every caller gets its share. */
  requests: readonly Buffer[]
  /** A shorter body is not whole. */
  bodyBytesMin: number
  /** What the body must end with. */
  tail: string
}

export interface LoadResult {
  completed: number
  errors: number
  /** The first error in full, so that a report can name it. */
  firstError: string | null
  elapsedMs: number
  /**
   * Sorted. At a fixed rate they count from the moment the request was due, so that waiting for a connection is part of
   * them.
   */
  latenciesMs: Float64Array
}

/** As fast as `concurrency` callers can who each wait for the answer before they ask again. */
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
          // A refused connection fails at once; without a turn of the loop this would spin.
          if ('failure' in outcome) setImmediate(next)
          else next()
        })
      }
      next()
      return promise
    }),
  )
  // Requests that were under way are let finish, because leaving a stream early is an event of its own to a gateway.
  const elapsedMs = performance.now() - startMs
  for (const connection of connections) connection.close()
  return { ...judge.result(), elapsedMs, latenciesMs: Float64Array.from(latenciesMs).sort() }
}

interface PacedResult extends LoadResult {
  /** The most requests that were ever waiting for a free connection. */
  backlogMax: number
}

/** A fixed rate whatever the answers do. */
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

/** Null for a whole answer of status 200, else what was wrong with it. */
export function judgeOutcome(outcome: Outcome, target: Pick<Target, 'bodyBytesMin' | 'tail'>): string | null {
  if ('failure' in outcome) return outcome.failure
  const { answer, excerpt } = outcome
  if (answer.status !== 200) return excerpt === '' ? `status ${answer.status}` : excerpt
  if (answer.bodyBytes < target.bodyBytesMin) return `a body of ${answer.bodyBytes} bytes, not ${target.bodyBytesMin}`
  return answer.tail.endsWith(target.tail) ? null : `a body that ends with ${JSON.stringify(answer.tail)}`
}
