import { otelTraces } from '#domain/events/otel-span.ts'
import { objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { EventSink, SendOutcome } from '#ports/event-sinks.ts'
import type { HttpSinkOptions } from './http-sink-options.ts'
import { postBatch } from './post-batch.ts'
import { readAnswer } from './read-answer.ts'

/** Sends events as spans: OTLP over HTTP in its JSON form. */
export function createOtlpSink({ upstreams, url, headers, timeoutMs, nowMs }: HttpSinkOptions): EventSink {
  const target = new URL(url)
  return {
    name: 'otlp',
    async send(events) {
      const answer = await postBatch(upstreams, {
        url: target,
        headers: { ...headers, 'content-type': 'application/json' },
        body: otelTraces(events),
        timeoutMs,
      })
      const body = parseJsonObject(answer.body) ?? {}
      const message = stringAt(body, 'message')
      const outcome = readAnswer(answer, message === undefined ? null : withoutSecrets(message, headers), nowMs())
      return outcome.kind === 'taken' ? { ...outcome, ...remarkOf(objectAt(body, 'partialSuccess')) } : outcome
    },
  }
}

// Spans that were rejected must not be sent again, so all that can be done is to say it.
function remarkOf(partialSuccess: Parameters<typeof stringAt>[0]): Pick<SendOutcome & { kind: 'taken' }, 'remark'> {
  const rejected = Number(partialSuccess['rejectedSpans'] ?? 0)
  const message = stringAt(partialSuccess, 'errorMessage') ?? ''
  if (rejected === 0 && message === '') return {}
  return { remark: rejected === 0 ? message : `${rejected} spans were rejected: ${message}` }
}

/** What a sink says is kept and shown; a credential that it repeats is not. */
function withoutSecrets(message: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  return secrets.filter(({ length }) => length >= 8).reduce((text, secret) => text.replaceAll(secret, '…'), message)
}
