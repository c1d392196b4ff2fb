import { errorFrames } from '#dialects/chat/frames.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { Answer, Outcome, Reply, Ticket } from '../types.ts'
import { type Attempt, type AttemptFailure, type AttemptResult, type StreamEnd, startAttempt } from './attempt.ts'
import { nameOfFailure } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

/**
 * One caller being served, over however many attempts. It ends in exactly one of: delivered (document), ended (stream),
 * refused, or left by the caller; each of them settles, and the first one wins.
 */
export interface Serving {
  serve(candidate: Candidate): Promise<AttemptResult>
  deliver(candidate: Candidate, complete: AttemptResult & { kind: 'complete' }): Promise<Reply>
  /** Refunds, then refuses. */
  refuse(error: GatewayError, reason: RefundReason): Promise<never>
}

export function createServing(deps: DispatchDeps, ticket: Ticket): Serving {
  const { caller } = ticket.arrival
  let attempt: Attempt | null = null
  let current: Candidate | null = null
  let replyHeaders = ticket.replyHeaders

  if (ticket.plan.call.stream) deps.keepAlives.watch(caller, () => caller.startStream(replyHeaders))
  caller.onGone(() => {
    leave().catch(deps.onError)
  })

  async function serve(candidate: Candidate): Promise<AttemptResult> {
    if (failpointsArmed) await failpoint('before-dispatch')
    if (caller.gone) return { kind: 'abandoned' }
    current = candidate
    const note = notesOf(candidate)
    const { request, ignored } = deps.prepare(ticket, candidate)
    if (ignored.length > 0) replyHeaders = { ...ticket.replyHeaders, 'x-params-ignored': ignored.join(', ') }
    attempt = startAttempt({
      ticket,
      candidate,
      request,
      upstreams: deps.upstreams,
      makeReader: (isEventStream, listener) => deps.makeReader(ticket, candidate, isEventStream, listener),
      onOpened: () => {
        // Noted at once: a stream that is already complete settles before this attempt's promise is heard of.
        note({ kind: 'opened' })
        ticket.firstTokenAtMs = deps.nowMs()
        if (!caller.streaming) caller.startStream(replyHeaders)
      },
      onEnd: (end) => {
        endStream(candidate, end).catch(breakDown)
      },
      onOutput: (tokens) => deps.watchOutput(ticket, tokens, () => exhaust().catch(breakDown)),
    })
    const result = await attempt.result
    note(result)
    if (result.kind === 'opened' || result.kind === 'complete') deps.health.succeeded(candidate)
    return result
  }

  /** Writes an attempt into the ticket, the first time it is asked to. */
  function notesOf(candidate: Candidate): (result: AttemptResult) => void {
    const startedAtMs = deps.nowMs()
    let noted = false
    return (result) => {
      if (noted) return
      noted = true
      ticket.attempts.push({
        provider: candidate.account.vendor,
        outcome: outcomeOf(result),
        status: attempt?.status ?? null,
        durationMs: deps.nowMs() - startedAtMs,
      })
    }
  }

  async function deliver(candidate: Candidate, complete: AttemptResult & { kind: 'complete' }): Promise<Reply> {
    ticket.firstTokenAtMs ??= deps.nowMs()
    const cost = await deps.settle(ticket, answered(candidate, complete.answer, caller.gone))
    return { kind: 'document', headers: { ...replyHeaders }, body: complete.close(cost) }
  }

  async function endStream(candidate: Candidate, end: StreamEnd): Promise<void> {
    if (end.kind === 'complete') {
      const cost = await deps.settle(ticket, answered(candidate, end.answer, false))
      finish(end.close(cost))
      return
    }
    deps.health.failed(candidate)
    const error = interruption(end.failure)
    await deps.settle(ticket, refunded('stream_interrupted', error))
    finish(errorFrames(error))
  }

  // The hold could not grow: the upstream is cancelled before it makes more than can be paid for.
  async function exhaust(): Promise<void> {
    // An answer that is complete but for its last frame is charged for, not cut off.
    if (ticket.settlement !== null || (attempt !== null && attempt.finalAnswer !== null)) return
    attempt?.abandon()
    const error = new GatewayError('insufficientCredits', {
      message: 'The credits ran out while streaming, and the answer was cut off. Top up to get longer answers.',
    })
    await deps.settle(ticket, refunded('credit_exhausted', error))
    deps.noteUnbilledCancel(ticket)
    finish(errorFrames(error))
  }

  // Usage that has arrived is billed even though nobody is left to see it; otherwise leaving costs nothing.
  async function leave(): Promise<void> {
    const final = attempt?.abandon() ?? null
    if (ticket.settlement !== null) return
    if (final !== null && current !== null) {
      await deps.settle(ticket, answered(current, final, true))
      return
    }
    if (ticket.plan.isBilled) deps.noteUnbilledCancel(ticket)
    await deps.settle(ticket, { ...refunded('client_cancelled', null), cancelled: true })
  }

  async function refuse(error: GatewayError, reason: RefundReason): Promise<never> {
    await deps.settle(ticket, refunded(reason, error))
    throw error
  }

  // Neither Postgres nor the spool took the settle: the caller must not be left waiting, nor be shown a cost.
  function breakDown(error: unknown): void {
    deps.onError(error)
    finish(errorFrames(asGatewayError(error)))
  }

  function finish(lastBytes: string): void {
    if (caller.gone) return
    caller.write(lastBytes)
    caller.end()
  }

  function answered(candidate: Candidate, answer: Answer, cancelled: boolean): Outcome {
    return { kind: 'answered', candidate, status: attempt?.status ?? 0, answer, cancelled }
  }

  function refunded(reason: RefundReason, error: GatewayError | null): Outcome & { kind: 'refunded' } {
    const status = attempt?.status ?? null
    return { kind: 'refunded', reason, candidate: current, status, answer: null, cancelled: false, error }
  }

  return { serve, deliver, refuse }
}

function interruption(failure: AttemptFailure): GatewayError {
  return new GatewayError(nameOfFailure(failure), {
    message: `${failure.message} Nothing was charged.`,
    inside: failure.kind,
  })
}

function outcomeOf(result: AttemptResult): string {
  switch (result.kind) {
    case 'opened':
    case 'complete':
      return 'answered'
    case 'refused':
      return result.refusal.errorName
    case 'failed':
      return result.failure.kind
    case 'abandoned':
      return 'abandoned'
  }
}
