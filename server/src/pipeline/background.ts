import type { ReplyContext } from '#dialects/dialect.ts'
import { responseOwner } from '#domain/responses/response-owner.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { Eventually } from '#lib/eventually.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { RunningResponse, StoredResponses } from '#ports/stored-responses.ts'
import { type BackgroundSlot, createBackgroundSlots } from './background-slots.ts'
import { storageAccess, storedInput } from './stored-input.ts'
import type { AnswerRecording, Arrival, Reply, Ticket } from './types.ts'

interface BackgroundDeps {
  readonly responses: Pick<StoredResponses, 'begin' | 'write' | 'finish' | 'renew'>
  readonly dispatch: (ticket: Ticket) => Promise<Reply>
  /** Settles a request that ended by a fault of ours. */
  readonly refund: (ticket: Ticket, error: unknown) => Promise<void>
  readonly contextOf: (ticket: Ticket) => ReplyContext
  /** Maximum number of requests in the background in this process. */
  readonly countMax: number
  /** Interval of renewing leases and of looking for cancelled responses. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

export interface Background {
  /** Detaches a request from its client for its hold and all that follows. Rejects it if too many run. */
  hold(arrival: Arrival, walletId: Uuid, hold: (detached: Arrival) => Eventually<Ticket>): Promise<Ticket>
  /** Answers the client at once, and goes on with the request. */
  dispatch(ticket: Ticket): Promise<Reply>
  /** Ends a request of this process. */
  stop(id: Uuid): void
  /** Resolves once all requests have ended. */
  close(): Promise<void>
}

/**
 * Requests that run without their client, in this process and with the same stages as all others. If the process dies,
 * the lease of the response lapses, and the response counts as failed unless it was charged. The hold has its own
 * lease.
 */
export function createBackground(deps: BackgroundDeps): Background {
  const { responses, onError } = deps
  const slots = createBackgroundSlots(deps.countMax)
  const running = new Set<Promise<void>>()
  const timer = setInterval(() => {
    const ids = slots.begunIds()
    if (ids.length > 0) renew(ids).catch(onError)
  }, deps.everyMs)
  timer.unref()
  return {
    hold: async (arrival, walletId, hold) => {
      const { generationId: id, bodyBytes: bytes } = arrival
      const slot = slots.take(id, { walletId, bytes })
      const recording = recordingOf(slot, arrival.recording, deps)
      try {
        // The trace of a request ends with its exchange.
        return await hold({ ...arrival, connection: slot.connection, trace: null, recording })
      } catch (error) {
        slots.free(id)
        throw error
      }
    },
    dispatch: async (ticket) => {
      const { generationId: id } = ticket.arrival
      const { queued, begun } = await begin(ticket, deps).catch((error: unknown) => {
        slots.free(id)
        throw error
      })
      const slot = slots.find(id)
      if (slot !== undefined) slot.begun = begun
      const ended = run(ticket, { queued, begun }, deps).catch(onError)
      running.add(ended)
      void ended.finally(() => {
        running.delete(ended)
        slots.free(id)
      })
      return { kind: 'document', headers: ticket.replyHeaders, body: queued }
    },
    stop: (id) => slots.find(id)?.connection.drop(),
    close: async () => {
      await Promise.all(running)
      clearInterval(timer)
    },
  }

  /** No client waits for a response that does not run any more: it was cancelled, or its lease has lapsed. */
  async function renew(ids: readonly Uuid[]): Promise<void> {
    const left = new Set(await responses.renew(ids))
    for (const id of ids) if (!left.has(id)) slots.find(id)?.connection.drop()
  }
}

interface Begun {
  /** The response before it runs. */
  readonly queued: string
  readonly begun: RunningResponse
}

async function begin(ticket: Ticket, { responses, contextOf }: BackgroundDeps): Promise<Begun> {
  const access = storageAccess(ticket.arrival)
  assert(access !== undefined, 'only a dialect with stored responses asks for the background')
  const { generationId: id } = ticket.arrival
  const queued = access.queued(contextOf(ticket))
  const owner = responseOwner(ticket.principal)
  const begun = await responses.begin({ id, owner, input: storedInput(access, ticket), response: queued })
  // Only the response of a deleted person is not stored.
  if (begun === null) throw new GatewayError('unauthenticated', { message: 'The account was deleted.' })
  return { queued, begun }
}

async function run(ticket: Ticket, { queued, begun }: Begun, deps: BackgroundDeps): Promise<void> {
  const reply = await deps.dispatch(ticket).catch(async (error: unknown) => {
    await deps.refund(ticket, error)
    const body = storageAccess(ticket.arrival)?.failed(queued, asGatewayError(error)) ?? queued
    return { kind: 'document', body } as const
  })
  // A response that was cancelled has ended already.
  if (reply.kind === 'document') await deps.responses.finish(begun, reply.body)
}

/** Stores the answer before its settle, so that a charged answer is there even if this process dies then. */
function recordingOf(
  slot: BackgroundSlot,
  outer: AnswerRecording | undefined,
  { responses, onError }: Pick<BackgroundDeps, 'responses' | 'onError'>,
): AnswerRecording {
  return {
    complete: async (rest) => {
      const { begun } = slot
      if (begun !== null) await responses.write(begun, String(rest.bytes)).catch(onError)
      await outer?.complete(rest)
    },
    settled: (isAsWritten) => outer?.settled(isAsWritten),
    forget: async () => outer?.forget(),
  }
}
