import { type MeteredEvent, meteredEvents } from '#domain/events/metered-event.ts'
import type { EventSink } from '#ports/event-sinks.ts'
import type { MeterSinkOptions } from './http-sink-options.ts'
import { postBatch } from './post-batch.ts'
import { readAnswer } from './read-answer.ts'

/** Sends charged requests of customers to OpenMeter, which counts each id of a source once. */
export function createOpenMeterSink(options: MeterSinkOptions): EventSink {
  const { upstreams, url, headers, timeoutMs, nowMs, meter, organizationId } = options
  const target = new URL(`${url.replace(/\/$/, '')}/api/v1/events`)
  return {
    name: 'openmeter',
    async send(events) {
      const metered = meteredEvents(events, organizationId)
      if (metered.length === 0) return { kind: 'taken' }
      const answer = await postBatch(upstreams, {
        url: target,
        headers: { ...headers, 'content-type': 'application/cloudevents-batch+json' },
        body: JSON.stringify(metered.map((event) => cloudEvent(event, meter))),
        timeoutMs,
      })
      return readAnswer(answer, null, nowMs())
    },
  }
}

/** In the JSON format of CloudEvents 1.0. */
function cloudEvent({ id, customer, atMs, facts }: MeteredEvent, meter: string) {
  return {
    specversion: '1.0',
    type: meter,
    id,
    source: 'weir',
    subject: customer,
    time: new Date(atMs).toISOString(),
    datacontenttype: 'application/json',
    data: facts,
  }
}
