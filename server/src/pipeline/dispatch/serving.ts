import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { formatUsd, type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { accountSecrets } from '#domain/routing/account-secrets.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { Eventually } from '#lib/eventually.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { publicText } from '#lib/public-text.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Answer, ClientConnection, LastBytes, Outcome, Reply, Ticket } from '../types.ts'
import type { AttemptResult, AttemptWatcher, RunningAttempt, StreamEnd } from './attempt/attempt.ts'
import { nameOfFailure, wordFor } from './conclude-failures.ts'
import { deliveredTokens } from './answer/delivered-tokens.ts'
import type { Begun, DispatchDeps } from './dispatch-deps.ts'
import { exhaustion } from './answer/exhaustion.ts'
import { ignoredHeader } from './attempt/ignored-header.ts'
import { type ServedFailure, servedFailure, servedResult, type ServedResult } from './served-result.ts'
import { withoutClientWords, withoutPrompt } from './attempt/without-prompt.ts'
import { toldCap } from '../told-cap.ts'

/**
 * One client being served, over any number of attempts. It ends in exactly one of: delivered (document), ended
 * (stream), refused, or disconnected; each of them settles, and the first one wins.
 */
export class Serving implements AttemptWatcher {
  readonly #deps: DispatchDeps
  readonly #ticket: Ticket
  readonly #connection: ClientConnection
  #attempt: RunningAttempt | null = null
  #candidate: Candidate | null = null
  #attemptStartedAtMs = 0
  #isNoted = true
  #ignored: readonly string[] = []

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
  }

  async serve(candidate: Candidate): Promise<ServedResult> {
    if (failpointsArmed) await failpoint('before-dispatch')
    if (this.#connection.gone) return { kind: 'abandoned' }
    this.#candidate = candidate
    this.#attemptStartedAtMs = this.#deps.nowMs()
    this.#isNoted = false
    const beginning = this.#begin(candidate)
    const attempt = beginning instanceof Promise ? await beginning : beginning
    if (attempt instanceof GatewayError) return { kind: 'unfit', error: attempt }
    this.#attempt = attempt
    // The client may have disconnected while the attempt was being opened, when there was nothing to stop yet.
    if (this.#connection.gone) attempt.abandon()
    const ended = await attempt.result
    const result = servedResult(ended, candidate.account)
    this.#note(outcomeOf(result))
    const words = wordsOf(ended)
    if (words !== '') await this.#keepWords(words, candidate)
    if (result.kind === 'complete') this.#deps.health.succeeded(candidate)
    if (result.kind === 'opened' || result.kind === 'complete') this.#deps.noteAnswered(this.#ticket, candidate)
    return result
  }

  get #payer(): string {
    return this.#ticket.principal.walletId
  }

  /** The body sent to the last upstream, if it is a single string. */
  get sentBody(): string | undefined {
    return this.#attempt?.sentBody
  }

  #begin(candidate: Candidate): Eventually<RunningAttempt | GatewayError> {
    const keep = ({ attempt, ignored }: Begun): RunningAttempt => {
      this.#ignored = ignored
      return attempt
    }
    try {
      const begun = this.#deps.begin(this.#ticket, candidate, this)
      return begun instanceof Promise ? begun.then(keep).catch(asUnfit) : keep(begun)
    } catch (error) {
      return asUnfit(error)
    }
  }

  async deliver(candidate: Candidate, complete: AttemptResult & { kind: 'complete' }): Promise<Reply> {
    this.#ticket.firstTokenAtMs ??= this.#deps.nowMs()
    const shown = (): number => deliveredTokens(String(complete.close(zeroUsd)))
    const outcome = this.#answered(candidate, complete.answer, this.#connection.gone, shown)
    const cost = await this.#deps.settle(this.#ticket, outcome)
    const type = complete.contentType === undefined ? {} : { contentType: complete.contentType }
    const body = this.#written(cost, () => String(complete.close(cost)))
    this.#keepOutput()
    return { kind: 'document', headers: this.#replyHeaders, body, ...type }
  }

  /** Refunds, then rejects. */
  async refuse(error: GatewayError, reason: RefundReason): Promise<never> {
    const told = await withoutPrompt(error, this.#ticket)
    await this.#deps.settle(this.#ticket, this.#refunded(reason, told))
    throw told
  }

  onOpened(contentType?: string): void {
    // Recorded immediately: a stream that is already complete settles before its attempt's promise resolves.
    this.#note('answered')
    if (this.#candidate !== null) this.#deps.health.opened(this.#candidate, this.#payer)
    this.#ticket.firstTokenAtMs = this.#deps.nowMs()
    if (!this.#connection.streaming) this.#connection.startStream(this.#replyHeaders, contentType)
  }

  onEnd(end: StreamEnd): void {
    this.#endStream(end).catch((error: unknown) => this.#breakDown(error))
  }

  onOutput(tokens: number): void {
    // Output of an own key or a free model needs no hold.
    const candidate = this.#candidate
    if (candidate?.billing !== 'charged') return
    this.#deps.watchOutput(this.#ticket, { candidate, tokens }, (scope) => {
      this.#exhaust(scope).catch((error: unknown) => this.#breakDown(error))
    })
  }

  async #endStream(end: StreamEnd): Promise<void> {
    const candidate = this.#candidate
    assert(candidate !== null, 'a stream has a candidate that sends it')
    if (end.kind === 'complete') {
      this.#deps.health.succeeded(candidate)
      const cost = await this.#deps.settle(this.#ticket, this.#answered(candidate, end.answer, false))
      const lastBytes = this.#written(cost, () => end.close(cost))
      this.#keepOutput()
      this.#finish(lastBytes)
      return
    }
    this.#deps.health.failed(candidate, { payer: this.#payer, reason: wordFor(nameOfFailure(end.failure)) })
    const error = interruption(servedFailure(end.failure, candidate.account))
    await this.#keepWords(end.failure.message, candidate)
    await this.#deps.settle(this.#ticket, this.#refunded('stream_interrupted', error))
    this.#finish(this.#failFrames(error))
  }

  // The hold could not grow: the upstream is cancelled before it produces more than can be paid for.
  async #exhaust(scope: string): Promise<void> {
    // A response that is complete except for its last frame is charged, not cut off. Usage alone does not make it
    // complete: some upstreams report growing usage repeatedly.
    const isWhole = typeof this.#attempt?.finalAnswer?.finishReason === 'string'
    if (this.#ticket.settlement !== null || isWhole) return
    this.#attempt?.abandon()
    const error = exhaustion(scope, this.#ticket.principal)
    this.#deps.noteUnbilledCancel(this.#ticket, this.#candidate)
    await this.#deps.settle(this.#ticket, this.#refunded('credit_exhausted', error))
    this.#finish(this.#failFrames(error))
  }

  // Usage that has arrived is billed although the client has disconnected. Otherwise disconnecting costs nothing.
  async #leave(): Promise<void> {
    const final = this.#attempt?.abandon() ?? null
    if (this.#ticket.settlement !== null) return
    if (final !== null && this.#candidate !== null) {
      await this.#deps.settle(this.#ticket, this.#answered(this.#candidate, final, true))
      return
    }
    const isFree = this.#candidate !== null && this.#candidate.billing !== 'charged'
    if (this.#ticket.plan.isBilled && !isFree) this.#deps.noteUnbilledCancel(this.#ticket, this.#candidate)
    await this.#deps.settle(this.#ticket, { ...this.#refunded('client_cancelled', null), cancelled: true })
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

  // A response that its client did not get completely is not kept.
  #keepOutput(): void {
    const { keepOutput } = this.#deps
    const { output } = this.#ticket
    if (keepOutput !== null && output !== undefined) this.#connection.onSent(() => keepOutput(this.#ticket, output))
  }

  /** Null if the client can only be told by a broken connection. */
  #failFrames(error: GatewayError): string | null {
    const [first] = this.#ticket.plan.candidates
    const candidate = this.#candidate ?? first
    assert(candidate !== undefined, 'a plan has a candidate')
    const frames = this.#attempt?.failFrames(error)
    return frames === undefined ? this.#deps.failFrames(this.#ticket, candidate, error) : frames
  }

  #finish(lastBytes: LastBytes | null): void {
    if (this.#connection.gone) return
    if (lastBytes === null) return this.#connection.drop()
    if (lastBytes.length > 0) this.#connection.write(lastBytes)
    this.#connection.end()
  }

  /**
   * The ticket's headers, and those of the current candidate. After a keep-alive comment has opened the stream no other
   * candidate is tried, so the model's name is right even then.
   */
  get #replyHeaders(): Readonly<Record<string, string>> {
    const { replyHeaders, plan } = this.#ticket
    const isAuto = plan.explanation.autoTier !== null
    const cap = this.#candidate === null ? null : toldCap(this.#ticket, this.#candidate)
    if (!isAuto && this.#ignored.length === 0 && cap === null) return replyHeaders
    const resolved = (this.#candidate ?? plan.candidates[0])?.model.id
    return {
      ...replyHeaders,
      ...ignoredHeader(this.#ignored),
      ...(cap === null ? {} : { 'x-output-cap': String(cap) }),
      ...(isAuto && resolved !== undefined ? { 'x-auto-resolved-model': resolved } : {}),
    }
  }

  /** Writes an attempt to the ticket, only the first time. */
  #note(outcome: string): void {
    if (this.#isNoted) return
    this.#isNoted = true
    this.#ticket.attempts.push({
      model: this.#candidate?.model.id ?? '',
      provider: this.#candidate?.account.vendor ?? '',
      account: this.#candidate?.account.name ?? '',
      outcome,
      status: this.#attempt?.status ?? null,
      durationMs: this.#deps.nowMs() - this.#attemptStartedAtMs,
      ...(this.#candidate?.billing === 'own_key' ? { ownKey: true } : {}),
    })
  }

  /** Keeps an upstream's error text, for operators. */
  async #keepWords(words: string, { account }: Candidate): Promise<void> {
    const attempt = this.#ticket.attempts.at(-1)
    if (attempt === undefined) return
    const [said = ''] = await withoutClientWords([words], this.#ticket)
    attempt.said = publicText(said, accountSecrets(account))
  }

  #answered(
    candidate: Candidate,
    answer: Answer,
    cancelled: boolean,
    deliveredTokens: () => number = () => this.#attempt?.outputTokensSeen ?? 0,
  ): Outcome & { kind: 'answered' } {
    const status = this.#attempt?.status ?? 0
    return { kind: 'answered', candidate, status, answer, cancelled, deliveredTokens }
  }

  #refunded(reason: RefundReason, error: GatewayError | null): Outcome & { kind: 'refunded' } {
    const status = this.#attempt?.status ?? null
    return { kind: 'refunded', reason, candidate: this.#candidate, status, answer: null, cancelled: false, error }
  }
}

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

/** A call that the candidate's protocol cannot express. */
function asUnfit(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  throw error
}

function interruption(failure: ServedFailure): GatewayError {
  return new GatewayError(nameOfFailure(failure), {
    message: `${failure.message} Nothing was charged.`,
    inside: failure.kind,
  })
}

function wordsOf(result: AttemptResult): string {
  if (result.kind === 'failed') return result.failure.message
  return result.kind === 'refused' ? (result.words ?? result.refusal.inside) : ''
}

function outcomeOf(result: ServedResult): string {
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
    case 'unfit':
      return result.error.errorName
  }
}
