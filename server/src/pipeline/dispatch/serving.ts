import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { formatUsd, type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { cutOffByStop } from '#errors/run-refusals.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Answer, AnswerRest, ClientConnection, LastBytes, Outcome, Reply, Ticket } from '../types.ts'
import type { AttemptResult, StreamEnd } from './attempt/attempt.ts'
import { nameOfFailure, wordFor } from './conclude-failures.ts'
import { deliveredTokens } from './answer/delivered-tokens.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { exhaustion } from './answer/exhaustion.ts'
import { translatedHeader } from './translated-header.ts'
import { ignoredHeader } from './attempt/ignored-header.ts'
import { Leg, type LegClient } from './leg.ts'
import { type ServedFailure, servedFailure } from './served-result.ts'
import { withoutPrompt } from './attempt/without-prompt.ts'
import { toldCap } from '../told-cap.ts'

/**
 * One client being served, by one leg after the other, or by two at once if the request is hedged. It ends in exactly
 * one of: delivered (document), ended (stream), refused, or disconnected; each of them settles, and the first one wins.
 */
export class Serving implements LegClient {
  readonly #deps: DispatchDeps
  readonly #ticket: Ticket
  readonly #connection: ClientConnection
  /** The leg that answers, or else the one that was started last and has not lost. */
  #leg: Leg | null = null
  /** The other leg of a hedged request, while both run. */
  #rival: Leg | null = null
  /** The candidate that answers. Null while no candidate does. */
  winner: Candidate | null = null
  /** Set once the run of the request was stopped. */
  #stopped: GatewayError | null = null

  constructor(deps: DispatchDeps, ticket: Ticket) {
    this.#deps = deps
    this.#ticket = ticket
    this.#connection = ticket.arrival.connection
    const keepAlive = deps.keepAliveOf(ticket)
    if (ticket.plan.call.stream && keepAlive !== null) {
      deps.keepAlives.watch(this.#connection, keepAlive, () => this.#connection.startStream(this.#replyHeaders))
    }
    this.#connection.onGone(() => {
      this.#leave().catch(deps.onError)
    })
    const run = ticket.principal.attribution?.run ?? null
    if (run !== null) {
      deps.watchStop(ticket.arrival.generationId, run, ({ reason }) => {
        this.#stop(cutOffByStop(run.externalId, reason)).catch((error: unknown) => this.#breakDown(error))
      })
    }
  }

  /** A new leg. It may run beside one other. */
  legTo(candidate: Candidate): Leg {
    const leg = new Leg(this.#deps, this.#ticket, this, candidate)
    if (this.#leg?.isRunning === true) this.#rival = leg
    else this.#leg = leg
    return leg
  }

  get gone(): boolean {
    return this.#connection.gone || this.#stopped !== null
  }

  isStopped(): boolean {
    if (this.#stopped !== null && !this.#connection.streaming && !this.#connection.gone) throw this.#stopped
    return this.#stopped !== null
  }

  claim(leg: Leg, document: Answer | null): void {
    this.winner = leg.candidate
    this.#goOnWith(leg, document)
  }

  over(leg: Leg): void {
    if (this.#rival === null) return
    if (leg === this.#leg) this.#leg = this.#rival
    this.#rival = null
  }

  begin(contentType: string | undefined): void {
    this.#ticket.firstTokenAtMs = this.#deps.nowMs()
    if (!this.#connection.streaming) this.#connection.startStream(this.#replyHeaders, contentType)
  }

  endStream(leg: Leg, end: StreamEnd): void {
    this.#endStream(leg, end).catch((error: unknown) => this.#breakDown(error))
  }

  exhaust(leg: Leg, scope: string): void {
    this.#exhaust(leg, scope).catch((error: unknown) => this.#breakDown(error))
  }

  // The client pays for one leg at most, however the request ends.
  #goOnWith(leg: Leg, document: Answer | null = null): void {
    const [first, second] = [this.#leg, this.#rival]
    this.#leg = leg
    this.#rival = null
    if (leg === first) second?.lose({ wasLate: false, document })
    else first?.lose({ wasLate: true, document })
  }

  /** Settles an answer. The rest of it is stored before, if the request has an idempotency key. */
  #settleStored(answered: Outcome & { kind: 'answered' }, rest: (cost: NanoUsd) => AnswerRest): Promise<NanoUsd> {
    const isRecorded = this.#ticket.arrival.recording !== undefined
    return this.#deps.settle(this.#ticket, isRecorded ? { ...answered, rest } : answered)
  }

  async deliver(leg: Leg, complete: AttemptResult & { kind: 'complete' }): Promise<Reply> {
    this.#ticket.firstTokenAtMs ??= this.#deps.nowMs()
    const shown = (): number => deliveredTokens(String(complete.close(zeroUsd)))
    const answered = this.#answered(leg, complete.answer, this.#connection.gone, shown)
    const { contentType } = complete
    const headers = this.#replyHeaders
    const close = this.#endingOf(leg, (cost) => String(complete.close(cost)), contentType)
    const cost = await this.#settleStored(answered, (charged) => ({
      head: { status: 200, contentType: contentType ?? jsonType, headers },
      bytes: close(charged),
    }))
    const body = this.#written(cost, () => close(cost))
    const storing = this.#store(body)
    if (storing !== undefined) await storing
    this.#keepOutput()
    return { kind: 'document', headers, body, ...(contentType === undefined ? {} : { contentType }) }
  }

  /** Refunds, then rejects. Without a leg, the last one is named as the cause. */
  async refuse(error: GatewayError, reason: RefundReason, leg: Leg | null = this.#leg): Promise<never> {
    const told = await withoutPrompt(error, this.#ticket)
    await this.#deps.settle(this.#ticket, refunded(leg, reason, told))
    throw told
  }

  async #endStream(leg: Leg, end: StreamEnd): Promise<void> {
    const { candidate } = leg
    if (end.kind === 'complete') {
      this.#deps.health.succeeded(candidate)
      const answered = this.#answered(leg, end.answer, false)
      const close = this.#endingOf(leg, end.close)
      const cost = await this.#settleStored(answered, (charged) => ({ bytes: close(charged) }))
      const lastBytes = this.#written(cost, () => close(cost))
      const storing = this.#store(lastBytes)
      if (storing !== undefined) await storing
      this.#keepOutput()
      this.#finish(lastBytes)
      return
    }
    this.#deps.health.failed(candidate, {
      payer: this.#ticket.principal.walletId,
      reason: wordFor(nameOfFailure(end.failure)),
    })
    const error = interruption(servedFailure(end.failure, candidate.account))
    await leg.keepWords(end.failure.message)
    await this.#deps.settle(this.#ticket, refunded(leg, 'stream_interrupted', error))
    this.#finish(this.#failFrames(error))
  }

  // The hold could not grow: the upstream is cancelled before it produces more than can be paid for.
  async #exhaust(leg: Leg, scope: string): Promise<void> {
    // A response that is complete except for its last frame is charged, not cut off. Usage alone does not make it
    // complete: some upstreams report growing usage repeatedly.
    const isWhole = typeof leg.finalAnswer?.finishReason === 'string'
    if (this.#ticket.settlement !== null || isWhole) return
    this.#goOnWith(leg)
    leg.abandon()
    const error = exhaustion(scope, this.#ticket.principal)
    this.#deps.noteUnbilledCancel(this.#ticket, leg.candidate)
    await this.#deps.settle(this.#ticket, refunded(leg, 'credit_exhausted', error))
    this.#finish(this.#failFrames(error))
  }

  // The run was stopped: the request ends as if the client had disconnected, and the client is told why.
  async #stop(error: GatewayError): Promise<void> {
    if (this.#ticket.settlement !== null) return
    this.#stopped = error
    await this.#leave()
    if (this.#connection.streaming) this.#finish(this.#failFrames(error))
  }

  // Usage that has arrived is billed although the client has disconnected. Otherwise disconnecting costs nothing.
  async #leave(): Promise<void> {
    const leg = this.#leg
    if (leg !== null) this.#goOnWith(leg)
    const final = leg?.abandon() ?? null
    if (this.#ticket.settlement !== null) return
    if (final !== null && leg !== null) {
      await this.#deps.settle(this.#ticket, this.#answered(leg, final, true))
      return
    }
    const isFree = leg !== null && leg.candidate.billing !== 'charged'
    if (this.#ticket.plan.isBilled && !isFree) this.#deps.noteUnbilledCancel(this.#ticket, leg?.candidate ?? null)
    await this.#deps.settle(this.#ticket, { ...refunded(leg, 'client_cancelled', null), cancelled: true })
  }

  // Neither Postgres nor the spool accepted the settle: the client must neither wait nor see a cost.
  #breakDown(error: unknown): void {
    this.#deps.onError(error)
    this.#finish(this.#failFrames(asGatewayError(error)))
  }

  /**
   * Writes the end of a response that is already charged. If writing fails, the error must not say that nothing was
   * charged.
   */
  #written<Bytes>(cost: NanoUsd, write: () => Bytes): Bytes {
    try {
      return write()
    } catch (error) {
      throw unwritten(error, cost, this.#ticket.arrival.generationId)
    }
  }

  /** Writes the end of an answer. An answer that may be kept gets its end in any case. */
  #endingOf<Bytes extends LastBytes>(
    { ignored }: Leg,
    close: (cost: NanoUsd) => Bytes,
    contentType?: string,
  ): (cost: NanoUsd) => Bytes | string {
    const { filling } = this.#ticket.arrival
    return filling === undefined ? onceFor(close) : filling.ending({ close, contentType, ignored })
  }

  // Before its client gets the end, so that the client's next request finds it.
  #store(lastBytes: LastBytes): Promise<void> | undefined {
    if (this.#ticket.arrival.storage === undefined) return undefined
    return this.#deps.storeResponse?.(this.#ticket, lastBytes)
  }

  // The output of a response that its client did not get completely is not kept. A stored one is there for a retry.
  #keepOutput(): void {
    const { keepOutput } = this.#deps
    const { output, arrival } = this.#ticket
    if (keepOutput === null || output === undefined) return
    if (arrival.recording !== undefined) keepOutput(this.#ticket, output)
    else this.#connection.onSent(() => keepOutput(this.#ticket, output))
  }

  /** Null if the client can only be told by a broken connection. */
  #failFrames(error: GatewayError): string | null {
    const frames = this.#leg?.failFrames(error)
    return frames === undefined ? this.#deps.failFrames(this.#ticket, this.#candidate, error) : frames
  }

  #finish(lastBytes: LastBytes | null): void {
    if (this.#connection.gone) return
    if (lastBytes === null) return this.#connection.drop()
    if (lastBytes.length > 0) this.#connection.write(lastBytes)
    this.#connection.end()
  }

  /**
   * The ticket's headers, and those of the current candidate. After a keep-alive comment has opened the stream no other
   * candidate is tried, so the model's name is right even then. While two legs run, headers that only one of them has
   * are left out.
   */
  get #replyHeaders(): Readonly<Record<string, string>> {
    const { replyHeaders, plan, arrival } = this.#ticket
    const isAuto = plan.explanation.autoTier !== null
    const leg = this.#rival === null ? this.#leg : null
    const ignored = leg?.ignored ?? noneIgnored
    const cap = leg === null ? null : toldCap(this.#ticket, leg.candidate)
    const translated = leg === null ? null : translatedHeader(arrival.dialect, leg.candidate)
    if (!isAuto && ignored.length === 0 && cap === null && translated === null) return replyHeaders
    return {
      ...replyHeaders,
      ...ignoredHeader(ignored),
      ...translated,
      ...(cap === null ? {} : { 'x-output-cap': String(cap) }),
      ...(isAuto ? { 'x-auto-resolved-model': this.#candidate.model.id } : {}),
    }
  }

  /** The first one of the plan where no candidate was asked yet. */
  get #candidate(): Candidate {
    const candidate = this.#leg?.candidate ?? this.#ticket.plan.candidates[0]
    assert(candidate !== undefined, 'a plan has a candidate')
    return candidate
  }

  #answered(
    leg: Leg,
    answer: Answer,
    cancelled: boolean,
    deliveredTokens: () => number = () => leg.outputTokensSeen,
  ): Outcome & { kind: 'answered' } {
    const { candidate, status } = leg
    return { kind: 'answered', candidate, status: status ?? 0, answer, cancelled, deliveredTokens }
  }
}

const noneIgnored: readonly string[] = []

function refunded(leg: Leg | null, reason: RefundReason, error: GatewayError | null): Outcome & { kind: 'refunded' } {
  const [candidate, status] = [leg?.candidate ?? null, leg?.status ?? null]
  return { kind: 'refunded', reason, candidate, status, answer: null, cancelled: false, error }
}

/** Writers of streams count their frames, so the same end is written once. */
function onceFor<Bytes>(close: (cost: NanoUsd) => Bytes): (cost: NanoUsd) => Bytes {
  let last: { readonly cost: NanoUsd; readonly bytes: Bytes } | null = null
  return (cost) => {
    if (last === null || last.cost !== cost) last = { cost, bytes: close(cost) }
    return last.bytes
  }
}

const jsonType = 'application/json; charset=utf-8'

function unwritten(error: unknown, cost: NanoUsd, generationId: Uuid): GatewayError {
  const charged =
    cost === zeroUsd
      ? 'Nothing was charged.'
      : `You were charged ${formatUsd(cost)} USD; see the receipt at GET /v1/generation?id=${publicGenerationId(generationId)}.`
  const { inside } = asGatewayError(error)
  return new GatewayError('internal', {
    message: `The gateway could not write the answer. ${charged}`,
    ...(inside === undefined ? {} : { inside }),
    cause: error,
  })
}

function interruption(failure: ServedFailure): GatewayError {
  return new GatewayError(nameOfFailure(failure), {
    message: `${failure.message} Nothing was charged.`,
    inside: failure.kind,
  })
}
