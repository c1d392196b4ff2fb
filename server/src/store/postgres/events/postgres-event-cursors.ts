import type { Pool, PoolClient } from 'pg'
import type { EventCursors, SinkTurn } from '#ports/event-sinks.ts'
import { withClient } from '../with-client.ts'
import {
  beginEventSinks,
  failEventSink,
  findEventsEnd,
  findWaiting,
  forgetEventSinks,
  lockEventSink,
  moveEventSink,
  unlockEventSink,
  type Waiting,
} from './event-sinks.sql.ts'
import { readEvents } from './read-events.sql.ts'

/** Cursors in Postgres. `pool` has a connection per sink, which is held while events are sent to it. */
export function createPostgresEventCursors(pool: Pool): EventCursors {
  return {
    async keep(names, { fromStart }) {
      const forgotten = await forgetEventSinks(pool, names)
      await beginEventSinks(pool, names, fromStart)
      return forgotten
    },
    withTurn: (name, use) =>
      onLockedConnection(pool, name, async (client) => {
        const waiting = await findWaiting(client, name)
        return waiting === null ? null : use(createTurn(client, name, waiting))
      }),
  }
}

/**
 * The lock belongs to a connection and not to a transaction: no transaction may stay open while a sink responds slowly.
 * The whole turn uses that connection, so a worker that has lost it cannot move the cursor either.
 */
function onLockedConnection<Result>(
  pool: Pool,
  name: string,
  use: (client: PoolClient) => Promise<Result>,
): Promise<Result | null> {
  return withClient(pool, async (client, close) => {
    try {
      if (!(await lockEventSink(client, name))) return null
      const result = await use(client)
      await unlockEventSink(client, name)
      return result
    } catch (error) {
      // Closing the connection releases the lock in any case.
      close()
      throw error
    }
  })
}

function createTurn(client: PoolClient, name: string, waiting: Waiting): SinkTurn {
  const { sentBelow: from, rolledUpBelow, failingForMs } = waiting
  return {
    failingForMs,
    async read(atMost) {
      const end = await findEventsEnd(client, { from, below: rolledUpBelow, atMost })
      const below = end ?? rolledUpBelow
      return { events: await readEvents(client, { from, below }), below, isFull: end !== null }
    },
    move: ({ below, events }) => moveEventSink(client, { name, from, to: below, hasSent: events.length > 0 }),
    fail: (error, againInMs) => failEventSink(client, { name, error, againInMs }),
  }
}
