import type { Principal } from '#domain/access/principal.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { isRecorded, type RecordedTrace } from '#domain/tracing/request-trace.ts'
import { onceHere } from '#lib/eventually.ts'
import { noteError } from './note-error.ts'
import type { Stages } from './run.ts'
import type { Arrival, Outcome, Plan, Reply, Ticket } from './types.ts'

/** Writes one span per stage, for recorded traces. docs/tracing.md shows the tree. */
export function traceStages(stages: Stages): Stages {
  const { recall, resume } = stages
  return {
    authenticate: (arrival) => {
      const identified = timed(arrival, 'authenticate', () => stages.authenticate(arrival))
      const { trace } = arrival
      if (!isRecorded(trace)) return identified
      return onceHere(identified, (principal) => {
        describeClient(trace, arrival, principal)
        return principal
      })
    },
    receive: (arrival, principal) => timed(arrival, 'receive', () => stages.receive(arrival, principal)),
    recall: recall === null ? null : (arrival, who) => timed(arrival, 'recall', () => recall(arrival, who)),
    resume:
      resume === null
        ? null
        : {
            asked: resume.asked,
            resume: (arrival, who, asked) => timed(arrival, 'resume', () => resume.resume(arrival, who, asked)),
          },
    readAttribution: stages.readAttribution,
    parse: (arrival) => timed(arrival, 'parse', () => stages.parse(arrival)),
    admit: (principal, arrival) => timed(arrival, 'admit', () => stages.admit(principal, arrival)),
    guard: (request) => timed(request.arrival, 'guard', () => stages.guard(request)),
    route: (request, arrival) => {
      const plan = timed(arrival, 'route', () => stages.route(request, arrival))
      if (isRecorded(arrival.trace)) arrival.trace.root.set('requestModel', modelOf(plan))
      return plan
    },
    freeTier: (request) => timed(request.arrival, 'free-tier', () => stages.freeTier(request)),
    claim: (request) => timed(request.arrival, 'claim', () => stages.claim(request)),
    attribute: (request) => timed(request.arrival, 'attribute', () => stages.attribute(request)),
    cache: (request) => timed(request.arrival, 'cache', () => stages.cache(request)),
    hold: (request) => timed(request.arrival, 'hold', () => stages.hold(request)),
    dispatch: (ticket) => dispatchTimed(stages, ticket),
    settle: stages.settle,
    noteRefusal: stages.noteRefusal,
  }
}

/**
 * Settle ends the dispatch span, whatever the outcome. Only the first call settles, so only the first call has a span.
 */
export function traceSettle(settle: Stages['settle']): Stages['settle'] {
  return (ticket, outcome) => {
    const { trace } = ticket.arrival
    if (!isRecorded(trace) || ticket.settlement !== null) return settle(ticket, outcome)
    endDispatch(trace, outcome)
    const span = trace.begin('settle')
    const settled = settle(ticket, outcome)
    settled.then(
      (cost) => {
        span.set('costNanoUsd', cost)
        span.end()
      },
      (error: unknown) => {
        noteError(span, error)
        span.end()
      },
    )
    return settled
  }
}

/** Times work that is done at once or later. */
function timed<Work>({ trace }: Arrival, name: string, work: () => Work): Work {
  if (!isRecorded(trace)) return work()
  const span = trace.begin(name)
  try {
    const done = work()
    if (!(done instanceof Promise)) {
      span.end()
      return done
    }
    done.then(
      () => span.end(),
      (error: unknown) => {
        noteError(span, error)
        span.end()
      },
    )
    return done
  } catch (error) {
    noteError(span, error)
    span.end()
    throw error
  }
}

function describeClient({ root }: RecordedTrace, arrival: Arrival, principal: Principal): void {
  root.set('generationId', publicGenerationId(arrival.generationId))
  root.set('endpoint', arrival.dialect.name)
  root.set('walletId', principal.walletId)
  root.set('organizationId', principal.organizationId)
  root.set('keyId', principal.keyId)
}

function modelOf({ candidates }: Plan): string | null {
  return candidates[0]?.model.id ?? null
}

/** A stream continues after the stage has returned; its settle ends the span. A worker settles a job much later. */
async function dispatchTimed(stages: Stages, ticket: Ticket): Promise<Reply> {
  const { trace } = ticket.arrival
  if (!isRecorded(trace)) return stages.dispatch(ticket)
  const span = trace.begin('dispatch')
  trace.dispatch = span
  try {
    const reply = await stages.dispatch(ticket)
    if (reply.kind === 'document') span.end()
    return reply
  } catch (error) {
    noteError(span, error)
    span.end()
    throw error
  }
}

function endDispatch({ root, dispatch, attempt }: RecordedTrace, outcome: Outcome): void {
  // An attempt that is still open here was abandoned: its client disconnected, or nothing was left to pay for it.
  if (attempt !== null && attempt.endMs === null) {
    attempt.set('outcome', 'abandoned')
    attempt.set('isCancelled', true)
    attempt.end()
  }
  root.set('isCancelled', outcome.cancelled ? true : null)
  if (outcome.kind === 'refunded') {
    root.set('refundReason', outcome.reason)
    if (outcome.error !== null) {
      // The status of a stream was sent before it failed, so it does not show the failure.
      noteError(root, outcome.error)
      if (dispatch !== null) noteError(dispatch, outcome.error)
    }
  }
  dispatch?.end()
}
