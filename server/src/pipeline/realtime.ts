import type { DialectCall } from '#dialects/dialect.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { RunStop } from '#domain/runs/run.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Eventually } from '#lib/eventually.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { JsonObject } from '#lib/json.ts'
import type { TextSocket } from '#lib/text-socket.ts'
import { readRealtimeAnswer } from '#providers/realtime/read-response.ts'
import { estimateFor, holdFor } from './hold-for.ts'
import { run, type Stages } from './run.ts'
import type { Answer, Arrival, Outcome, Plan, Ticket } from './types.ts'

/**
 * Realtime sessions in terms of the pipeline: each response of a session is one request, which passes all stages, has a
 * hold of its own before the upstream starts it, and settles once.
 */
export interface Realtime {
  /** Takes the session through the stages before the hold, and opens it at an upstream once `enter` has let it in. */
  open(arrival: Arrival, enter: (principal: Principal) => void): Promise<RealtimeLine>
  /** Takes one response to its hold. `send` starts it at the upstream. */
  begin(line: RealtimeLine, arrival: Arrival, send: (ticket: Ticket) => void): Promise<void>
  /** The event without the texts that rules remove. Rejects an event that must not reach a model. */
  inspect(line: RealtimeLine, arrival: Arrival): Eventually<DialectCall>
  /** Rejects a key that was revoked since. */
  authenticate(arrival: Arrival): Eventually<Principal>
  settle(ticket: Ticket, outcome: Outcome): Promise<NanoUsd>
  readAnswer(response: JsonObject): Answer
  /** A response that its client left before it was counted. */
  noteUnbilledCancel(ticket: Ticket, candidate: Candidate): void
  /** Calls `end` once the run of the response is stopped. */
  watchStop(ticket: Ticket, end: (stop: RunStop) => void): void
}

export interface RealtimeLine {
  readonly principal: Principal
  readonly candidate: Candidate
  readonly upstream: TextSocket
}

interface RealtimeDeps extends Pick<Realtime, 'noteUnbilledCancel' | 'watchStop'> {
  readonly stages: Stages
  readonly inspect: (request: Parameters<Stages['guard']>[0]) => Eventually<DialectCall>
  readonly openLine: (plan: Plan) => Promise<Pick<RealtimeLine, 'candidate' | 'upstream'>>
}

export function createRealtime(deps: RealtimeDeps): Realtime {
  const { stages } = deps
  return {
    open: async (arrival, enter) => {
      let principal: Principal | null = null
      try {
        principal = await stages.authenticate(arrival)
        // Each response is attributed on its own; headers that cannot be read prevent the session.
        if (arrival.attribution !== null) stages.readAttribution(arrival, principal)
        const { call, wanted, preferences } = stages.parse(arrival)
        await stages.admit(principal, arrival)
        const guarded = await stages.guard({ arrival, principal, call, wanted })
        const { walletId, organizationId, keyId } = principal
        const { wantsEvents, receivedAtMs } = arrival
        const request = { ...guarded, preferences, wantsEvents, receivedAtMs, walletId, organizationId, keyId }
        const plan = stages.route(request, arrival)
        enter(principal)
        return { principal, ...(await deps.openLine(plan)) }
      } catch (error) {
        stages.noteRefusal(arrival, principal, error)
        throw error
      }
    },
    begin: async ({ candidate }, arrival, send) => {
      const dispatch: Stages['dispatch'] = async (ticket) => {
        if (failpointsArmed) await failpoint('before-dispatch')
        send(ticket)
        return { kind: 'handled' }
      }
      const route: Stages['route'] = (request, sent) => pinned(stages.route(request, sent), candidate)
      await run({ ...stages, route, dispatch, cache: async (planned) => planned }, arrival)
    },
    inspect: ({ principal }, arrival) => {
      const { call, wanted } = stages.parse(arrival)
      return deps.inspect({ arrival, principal, call, wanted })
    },
    authenticate: stages.authenticate,
    settle: stages.settle,
    readAnswer: readRealtimeAnswer,
    noteUnbilledCancel: deps.noteUnbilledCancel,
    watchStop: deps.watchStop,
  }
}

/** The plan for the upstream that has the session, at its current price. */
function pinned(plan: Plan, { account, model, upstreamModel, billing }: Candidate): Plan {
  const same = plan.candidates.filter(
    (candidate) =>
      candidate.account.id === account.id &&
      candidate.model.id === model.id &&
      candidate.upstreamModel === upstreamModel &&
      candidate.billing === billing,
  )
  if (same.length === 0) {
    throw new GatewayError('modelNotServed', { message: 'The provider of this session no longer serves the model.' })
  }
  const candidates = same.slice(0, 1)
  return {
    ...plan,
    candidates,
    amount: holdFor(candidates, plan.call, 0),
    estimate: estimateFor(candidates, plan.call, 0),
  }
}
