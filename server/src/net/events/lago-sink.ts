import { type MeteredEvent, meteredEvents } from '#domain/events/metered-event.ts'
import { isJsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import type { EventSink, SendOutcome } from '#ports/event-sinks.ts'
import type { MeterSinkOptions } from './http-sink-options.ts'
import { type BatchAnswer, postBatch } from './post-batch.ts'
import { readAnswer } from './read-answer.ts'

// Lago's maximum number of events per request.
const eventsMax = 100

/**
 * Sends charged requests of customers to Lago, as usage of the subscription with the customer's id. Lago rejects a
 * whole batch if it already has one of the events, so the sink then sends the others alone.
 */
export function createLagoSink(options: MeterSinkOptions): EventSink {
  const { upstreams, url, headers, timeoutMs, nowMs, meter, organizationId } = options
  const target = new URL(`${url.replace(/\/$/, '')}/api/v1/events/batch`)
  const post = (events: readonly MeteredEvent[]): Promise<BatchAnswer> =>
    postBatch(upstreams, {
      url: target,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ events: events.map((event) => usageEvent(event, meter)) }),
      timeoutMs,
    })
  const send = async (events: readonly MeteredEvent[]): Promise<SendOutcome> => {
    const answer = await post(events)
    const known = answer.status === 422 ? knownEvents(answer.body) : new Set<number>()
    if (known.size === 0) return readAnswer(answer, null, nowMs())
    const rest = events.filter((_event, index) => !known.has(index))
    return rest.length === 0 ? { kind: 'taken' } : send(rest)
  }
  return {
    name: 'lago',
    async send(events) {
      const metered = meteredEvents(events, organizationId)
      for (let from = 0; from < metered.length; from += eventsMax) {
        const outcome = await send(metered.slice(from, from + eventsMax))
        if (outcome.kind !== 'taken') return outcome
      }
      return { kind: 'taken' }
    },
  }
}

function usageEvent({ id, customer, atMs, cost, facts }: MeteredEvent, meter: string) {
  const { tags, ...properties } = facts
  return {
    transaction_id: id,
    external_subscription_id: customer,
    code: meter,
    // Seconds, as a decimal, so that events of one second keep their order.
    timestamp: (atMs / 1_000).toFixed(3),
    precise_total_amount_cents: centsOf(cost),
    properties: { ...properties, ...prefixed(tags) },
  }
}

/** Lago's properties are flat. */
function prefixed(tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [`tag_${name}`, value]))
}

const nanoPerCent = 10_000_000n

function centsOf(cost: bigint): string {
  return `${cost / nanoPerCent}.${String(cost % nanoPerCent).padStart(7, '0')}`
}

/** The positions of events that were refused only because Lago has them already. */
function knownEvents(body: string): Set<number> {
  const details = objectAt(parseJsonObject(body) ?? {}, 'error_details')
  const known = new Set<number>()
  for (const [index, faults] of Object.entries(details)) {
    const isKnown = isJsonObject(faults) && JSON.stringify(faults) === '{"transaction_id":["value_already_exist"]}'
    if (isKnown) known.add(Number(index))
  }
  return known
}
