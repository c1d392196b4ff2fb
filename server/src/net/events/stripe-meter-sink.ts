import { type MeteredEvent, meteredEvents } from '#domain/events/metered-event.ts'
import { objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { EventSink, SendOutcome } from '#ports/event-sinks.ts'
import type { MeterSinkOptions } from './http-sink-options.ts'
import { postBatch } from './post-batch.ts'
import { readAnswer } from './read-answer.ts'

// Stripe accepts one event per request, and a thousand requests per second.
const atOnce = 8
// Stripe rejects events that are older than 35 days. One day less, because the event must still arrive.
const ageMaxMs = 34 * 86_400_000

/**
 * Sends charged requests to a billing meter of Stripe, which counts each identifier once within a day. The value is the
 * cost in billionths of a dollar. The sink skips customers without a Stripe ID, and events that Stripe rejects as too
 * old.
 */
export function createStripeMeterSink(options: MeterSinkOptions): EventSink {
  const { upstreams, url, headers, timeoutMs, nowMs, meter, organizationId } = options
  const target = new URL(`${url.replace(/\/$/, '')}/v1/billing/meter_events`)
  const post = async (event: MeteredEvent): Promise<SendOutcome> => {
    const answer = await postBatch(upstreams, {
      url: target,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: meterEvent(event, meter).toString(),
      timeoutMs,
    })
    const message = stringAt(objectAt(parseJsonObject(answer.body) ?? {}, 'error'), 'message') ?? ''
    if (answer.status === 400 && isKnown(message)) return { kind: 'taken' }
    return readAnswer(answer, null, nowMs())
  }
  return {
    name: 'stripe-meter',
    async send(events) {
      const metered = meteredEvents(events, organizationId)
      const fit = metered.filter(({ customer, atMs }) => customer.startsWith('cus_') && atMs > nowMs() - ageMaxMs)
      for (let from = 0; from < fit.length; from += atOnce) {
        const outcomes = await Promise.all(fit.slice(from, from + atOnce).map(post))
        const failed = outcomes.find(({ kind }) => kind !== 'taken')
        if (failed !== undefined) return failed
      }
      const left = metered.length - fit.length
      if (left === 0) return { kind: 'taken' }
      return {
        kind: 'taken',
        remark: `skipped ${left} events that are older than 34 days or name a customer without a Stripe ID`,
      }
    },
  }
}

function meterEvent({ id, customer, atMs, cost }: MeteredEvent, meter: string): URLSearchParams {
  return new URLSearchParams({
    event_name: meter,
    identifier: id,
    timestamp: String(Math.floor(atMs / 1_000)),
    'payload[stripe_customer_id]': customer,
    'payload[value]': String(cost),
  })
}

/** Stripe has no code for a repeated identifier. */
function isKnown(message: string): boolean {
  return /already exists with identifier/i.test(message)
}
