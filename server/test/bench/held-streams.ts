import type { Outcome } from './load-connection.ts'
import { LoadConnection } from './load-connection.ts'

interface HeldStreams {
  opened: number
  /** Why streams did not open, one string each. */
  failures: string[]
  /** Resolves with the outcomes of all opened streams once the upstream has finished them. */
  ended: Promise<Outcome[]>
  close(): void
}

// Few at a time, so that the open streams are measured, and not the garbage of a burst of arrivals.
const openingMax = 32

/** Opens streams that stay open, and resolves when each has received its first event. */
export async function openHeldStreams(port: number, requests: readonly Buffer[], count: number): Promise<HeldStreams> {
  const connections: LoadConnection[] = []
  const outcomes: Promise<Outcome>[] = []
  const failures: string[] = []
  let started = 0

  const openInTurn = async (): Promise<void> => {
    while (started < count) {
      const request = requests[started % requests.length]
      started += 1
      if (request === undefined) throw new Error('at least one request is needed')
      const { connection, opened, ended } = openStream(port, request)
      connections.push(connection)
      const failure = await opened
      if (failure === null) outcomes.push(ended)
      else failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: openingMax }, openInTurn))
  return {
    opened: outcomes.length,
    failures,
    ended: Promise.all(outcomes),
    close: () => {
      for (const connection of connections) connection.close()
    },
  }
}

function openStream(port: number, request: Buffer) {
  const opened = Promise.withResolvers<string | null>()
  const ended = Promise.withResolvers<Outcome>()
  let hasEvent = false
  const connection = new LoadConnection(port, (part) => {
    if (hasEvent || !part.includes('data: ')) return
    hasEvent = true
    opened.resolve(null)
  })
  connection.send(request, (outcome) => {
    ended.resolve(outcome)
    if (!hasEvent)
      opened.resolve('failure' in outcome ? outcome.failure : `${outcome.answer.status} ${outcome.excerpt}`)
  })
  return { connection, opened: opened.promise, ended: ended.promise }
}
