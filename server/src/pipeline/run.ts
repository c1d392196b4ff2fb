import type { Principal } from '#domain/access/principal.ts'
import type { Eventually } from '#lib/eventually.ts'
import { type AttributeStage, isAttributed, type Named, type readAttribution } from './attribute/attribute.ts'
import type { CacheStage } from './cache/look-up.ts'
import type { DispatchStage } from './dispatch/dispatch.ts'
import type { GuardStage } from './guard/guard.ts'
import type { HoldStage } from './hold/hold.ts'
import type { NoteRefusal } from './note-refusal.ts'
import type { ParseStage } from './parse/parse.ts'
import { type RecallStage, refersToItems } from './parse/recall-items.ts'
import type { ResumeStage } from './parse/resume-response.ts'
import type { ClaimStage } from './replay/claim.ts'
import { refundFault } from './refund-fault.ts'
import type { FreeTier } from './route/free-tier.ts'
import type { RouteRequest } from './route/route.ts'
import type { SettleStage } from './settle/settle.ts'
import type { Arrival, Plan, Reply, Ticket } from './types.ts'

/** The stages of one inference request. Responses are read inside dispatch, records are written inside settle. */
export interface Stages {
  authenticate: (arrival: Arrival) => Eventually<Principal>
  /** Reads the body. */
  receive: (arrival: Arrival, principal: Principal) => Eventually<void>
  /** Replaces references with their kept items. Null if none are kept. */
  recall: RecallStage | null
  /** Continues the conversation of a stored response. Null if no responses are stored. */
  resume: ResumeStage | null
  /** Reads which customer a request names. Called only if it names one, like `attribute`. */
  readAttribution: typeof readAttribution
  parse: ParseStage
  /** Returns the rate-limit headers of the reply. */
  admit: (principal: Principal, arrival: Arrival) => Promise<Readonly<Record<string, string>>>
  guard: GuardStage
  route: (request: RouteRequest, arrival: Arrival) => Plan
  /** Part of routing, with I/O if a model is free within a quota. */
  freeTier: FreeTier['apply']
  /** Runs a request with a new idempotency key, and answers one with a known key. Called only if there is a key. */
  claim: ClaimStage
  /** Finds the customer, the tags and the run that a request names. */
  attribute: AttributeStage
  /**
   * Finds the kept answer of an identical request. Called only if the request, its key or its organization asks for it.
   */
  cache: CacheStage
  hold: HoldStage
  dispatch: DispatchStage
  settle: SettleStage
  noteRefusal: NoteRefusal
}

/**
 * The path of a request: the same for every endpoint, model and vendor. It waits only for what is not here yet: each
 * wait costs a promise and a turn of the queue.
 */
export async function run(stages: Stages, sent: Arrival): Promise<Reply> {
  let principal: Principal | null = null
  let arrival = sent
  let ticket: Ticket
  try {
    const identified = stages.authenticate(sent)
    principal = identified instanceof Promise ? await identified : identified
    // An upload costs resources before it can be read, so its sender's rate is judged first. The same holds for reading
    // kept items.
    let admitted = sent.isCostlyToReceive ? await stages.admit(principal, sent) : null
    const receiving = stages.receive(sent, principal)
    if (receiving instanceof Promise) await receiving
    if (stages.recall !== null && refersToItems(sent)) {
      admitted ??= await stages.admit(principal, sent)
      arrival = await stages.recall(sent, principal)
    }
    const storage = stages.resume?.asked(arrival) ?? null
    if (stages.resume !== null && storage !== null) {
      admitted ??= await stages.admit(principal, sent)
      arrival = await stages.resume.resume(arrival, principal, storage)
    }
    let named: Named | null = null
    if (principal.customerToken !== null || isAttributed(arrival))
      ({ arrival, named } = stages.readAttribution(arrival, principal))
    const { call, wanted, preferences } = stages.parse(arrival)
    admitted ??= await stages.admit(principal, arrival)
    const judged = stages.guard({ arrival, principal, call, wanted })
    const guarded = judged instanceof Promise ? await judged : judged
    const { walletId, organizationId, keyId } = principal
    const { wantsEvents, receivedAtMs } = arrival
    const request = { ...guarded, preferences, wantsEvents, receivedAtMs, walletId, organizationId, keyId }
    const routed = stages.route(request, arrival)
    const applied = stages.freeTier({ arrival, principal, plan: routed })
    const free = applied instanceof Promise ? await applied : applied
    const replyHeaders = { ...arrival.replyHeaders, ...admitted, ...free.headers }
    if (arrival.idempotencyKey !== undefined) {
      const claimed = await stages.claim({ arrival, sent, principal, plan: free.plan, replyHeaders })
      if (claimed.kind === 'replied') return claimed.reply
      arrival = claimed.arrival
    }
    // Only a request that may be sent creates an unknown customer, tag or run, and counts for the rules of its run.
    if (named !== null) {
      const attributed = stages.attribute({ arrival, principal, named })
      principal = attributed instanceof Promise ? await attributed : attributed
    }
    let planned = { arrival, principal, plan: free.plan, replyHeaders }
    if (arrival.body.cache !== undefined || principal.cacheTtlSeconds !== null) {
      planned = { ...planned, ...(await stages.cache(planned)) }
      ;({ arrival } = planned)
    }
    const held = stages.hold(planned)
    ticket = held instanceof Promise ? await held : held
  } catch (error) {
    stages.noteRefusal(arrival, principal, error)
    arrival.filling?.forget()
    if (arrival.recording !== undefined) await arrival.recording.forget()
    throw error
  }
  try {
    return await stages.dispatch(ticket)
  } catch (error) {
    await refundFault(stages.settle, ticket, error)
    throw error
  }
}
