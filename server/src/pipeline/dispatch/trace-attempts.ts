import { operationOf, outputTypeOf, providerNameOf } from '#domain/events/otel-names.ts'
import { completionTokensOf, promptTokensOf } from '#domain/inference/usage.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { isRecorded, type RecordedTrace } from '#domain/tracing/request-trace.ts'
import type { Span } from '#domain/tracing/span.ts'
import { accountLabelOf } from '../account-label.ts'
import { noteError } from '../note-error.ts'
import type { Answer, Ticket } from '../types.ts'
import type { AttemptResult, AttemptWatcher, RunningAttempt } from './attempt/attempt.ts'
import type { Begun, DispatchDeps } from './dispatch-deps.ts'

type Begin = DispatchDeps['begin']

/** Writes one span per attempt: its upstream, its result, and when the first token arrived. */
export function traceAttempts(begin: Begin): Begin {
  return (ticket, candidate, watcher) => {
    const { trace, cached } = ticket.arrival
    // A kept answer is read without an upstream.
    if (!isRecorded(trace) || cached !== undefined) return begin(ticket, candidate, watcher)
    const span = beginSpan(trace, ticket, candidate)
    const watched = watchEnd(span)
    const fail = (error: unknown): never => {
      noteError(span, error)
      span.end()
      throw error
    }
    try {
      const begun = begin(ticket, candidate, watchStream({ span, trace }, watcher, watched))
      return begun instanceof Promise ? begun.then(watched.begun, fail) : watched.begun(begun)
    } catch (error) {
      return fail(error)
    }
  }
}

function beginSpan(trace: RecordedTrace, { arrival, plan }: Ticket, candidate: Candidate): Span {
  const endpoint = arrival.dialect.name
  const { vendor } = candidate.account
  const span = trace.begin(`${operationOf(endpoint)} ${candidate.upstreamModel}`, 'client', trace.dispatch)
  trace.attempt = span
  trace.attempts += 1
  span.set('operation', operationOf(endpoint))
  span.set('provider', providerNameOf(vendor))
  span.set('outputType', outputTypeOf(endpoint))
  span.set('requestModel', candidate.upstreamModel)
  span.set('requestStream', plan.call.stream ? true : null)
  span.set('upstreamProvider', vendor)
  span.set('upstreamAccount', accountLabelOf(candidate))
  span.set('isByok', candidate.billing === 'own_key' ? true : null)
  span.set('attemptNumber', trace.attempts)
  return span
}

interface WatchedEnd {
  begun(begun: Begun): Begun
  ended(result: Exclude<AttemptResult, { kind: 'opened' | 'unfit' }>): void
}

/** Ends the span with the attempt's result. An opened stream ends later, and an abandoned one with its settle. */
function watchEnd(span: Span): WatchedEnd {
  let attempt: RunningAttempt | null = null
  const ended: WatchedEnd['ended'] = (result) => {
    span.set('httpStatus', attempt?.status ?? null)
    noteResult(span, result)
    span.end()
  }
  return {
    ended,
    begun: (begun) => {
      attempt = begun.attempt
      attempt.result.then(
        (result) => {
          if (result.kind === 'opened') span.set('httpStatus', begun.attempt.status)
          else if (result.kind !== 'unfit') ended(result)
        },
        (error: unknown) => {
          noteError(span, error)
          span.end()
        },
      )
      return begun
    },
  }
}

function watchStream(
  { span, trace }: { span: Span; trace: RecordedTrace },
  watcher: AttemptWatcher,
  { ended }: WatchedEnd,
): AttemptWatcher {
  return {
    onOpened: (contentType) => {
      // A hedged request has two attempts at once: the one that answers ends with the request.
      trace.attempt = span
      span.note('first_token')
      span.set('firstChunkSeconds', { double: (span.start.nowMs() - span.startMs) / 1_000 })
      watcher.onOpened(contentType)
    },
    onEnd: (end) => {
      ended(end)
      watcher.onEnd(end)
    },
    onOutput: (tokens) => watcher.onOutput(tokens),
  }
}

function noteResult(span: Span, result: Parameters<WatchedEnd['ended']>[0]): void {
  switch (result.kind) {
    case 'complete':
      span.set('outcome', 'answered')
      noteAnswer(span, result.answer)
      break
    case 'refused': {
      const { errorName, action } = result.refusal
      span.set('outcome', errorName)
      // If every upstream would reject the request, the request is at fault and not this upstream.
      span.fail(errorName, { isOurs: action !== 'give-up' })
      break
    }
    case 'failed':
      span.set('outcome', result.failure.kind)
      span.fail(result.failure.kind, { isOurs: true })
      break
    case 'abandoned':
      span.set('outcome', 'abandoned')
      span.set('isCancelled', true)
      break
  }
}

function noteAnswer(span: Span, { usage, finishReason }: Answer): void {
  span.set('finishReasons', finishReason === null ? null : [finishReason])
  if (usage === null) return
  span.set('inputTokens', promptTokensOf(usage))
  span.set('outputTokens', completionTokensOf(usage))
}
