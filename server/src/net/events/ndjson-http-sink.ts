import { ndjsonLine } from '#domain/events/ndjson-event.ts'
import type { EventSink } from '#ports/event-sinks.ts'
import type { HttpSinkOptions } from './http-sink-options.ts'
import { postBatch } from './post-batch.ts'
import { readAnswer } from './read-answer.ts'

/** Posts batches of lines. */
export function createNdjsonHttpSink({ upstreams, url, headers, timeoutMs, nowMs }: HttpSinkOptions): EventSink {
  const target = new URL(url)
  return {
    name: 'ndjson-http',
    async send(events) {
      const answer = await postBatch(upstreams, {
        url: target,
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body: events.map(ndjsonLine).join(''),
        timeoutMs,
      })
      return readAnswer(answer, null, nowMs())
    },
  }
}
