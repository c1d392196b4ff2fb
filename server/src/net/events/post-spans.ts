import { objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { SendOutcome } from '#ports/event-sinks.ts'
import type { HttpSinkOptions } from './http-sink-options.ts'
import { postBatch } from './post-batch.ts'
import { readAnswer } from './read-answer.ts'

/** How an export ended. */
export type PostedSpans = SendOutcome & {
  /** Spans that the collector rejected while it accepted the others. They must not be sent again. */
  readonly rejected: number
}

/** Posts exports of spans: OTLP over HTTP as JSON. */
export function createPostSpans(options: HttpSinkOptions): (body: string) => Promise<PostedSpans> {
  const { upstreams, url, headers, timeoutMs, nowMs } = options
  const target = new URL(url)
  return async (body) => {
    const answer = await postBatch(upstreams, {
      url: target,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      timeoutMs,
    })
    const said = parseJsonObject(answer.body) ?? {}
    const message = stringAt(said, 'message')
    const outcome = readAnswer(answer, message === undefined ? null : withoutSecrets(message, headers), nowMs())
    if (outcome.kind !== 'taken') return { ...outcome, rejected: 0 }
    const partialSuccess = objectAt(said, 'partialSuccess')
    const rejected = readRejected(partialSuccess['rejectedSpans'])
    const why = withoutSecrets(stringAt(partialSuccess, 'errorMessage') ?? '', headers)
    if (rejected === 0 && why === '') return { ...outcome, rejected }
    return { ...outcome, rejected, remark: rejected === 0 ? why : `${rejected} spans were rejected: ${why}` }
  }
}

/**
 * OTLP sends the count as a string. A collector may send anything, and a value that is not a count would make the
 * counter throw.
 */
function readRejected(value: unknown): number {
  const rejected = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0
}

/** A sink's message is stored and shown, so a credential that it repeats is removed. */
function withoutSecrets(message: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  return secrets.filter(({ length }) => length >= 8).reduce((text, secret) => text.replaceAll(secret, '…'), message)
}
