import type { Attempt as NotedAttempt } from '#domain/ledger/generation-record.ts'
import { completionTokensOf } from '#domain/inference/usage.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { accountSecrets } from '#domain/routing/account-secrets.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Eventually } from '#lib/eventually.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { publicText } from '#lib/public-text.ts'
import { cappedOutput } from '../told-cap.ts'
import type { Answer, Ticket } from '../types.ts'
import type { AttemptResult, AttemptWatcher, RunningAttempt, StreamEnd } from './attempt/attempt.ts'
import { withoutClientWords } from './attempt/without-prompt.ts'
import type { Begun, DispatchDeps } from './dispatch-deps.ts'
import { type LegResult, servedResult, type ServedResult } from './served-result.ts'

/** The client's side of a request, as its legs see it. */
export interface LegClient {
  readonly gone: boolean
  /** Whether the run of the request was stopped. Throws the reason if the response has no head yet. */
  isStopped(): boolean
  /** The leg answers, here with a whole document unless it is null, so the other leg, if any, has lost. */
  claim(leg: Leg, document: Answer | null): void
  /** The leg no longer waits for its upstream: it has answered, failed or lost. */
  over(leg: Leg): void
  /** The first content of the leg's stream is about to be written. */
  begin(contentType: string | undefined): void
  endStream(leg: Leg, end: StreamEnd): void
  exhaust(leg: Leg, scope: string): void
}

/**
 * One attempt at one candidate. A leg runs until its upstream answers or fails. It has lost if another leg of the same
 * request answered first. A lost leg is cancelled and affects neither the response nor the charge.
 */
export class Leg implements AttemptWatcher {
  readonly candidate: Candidate
  /** Parameters that the upstream did not get. */
  ignored: readonly string[] = []
  isRunning = true
  readonly #deps: DispatchDeps
  readonly #ticket: Ticket
  readonly #client: LegClient
  #attempt: RunningAttempt | null = null
  #startedAtMs: number | null = null
  #noted: NotedAttempt | null = null
  #isLost = false

  constructor(deps: DispatchDeps, ticket: Ticket, client: LegClient, candidate: Candidate) {
    this.#deps = deps
    this.#ticket = ticket
    this.#client = client
    this.candidate = candidate
  }

  async serve(): Promise<LegResult> {
    const { candidate } = this
    try {
      if (failpointsArmed) await failpoint('before-dispatch')
      if (this.#isLost) return lost
      if (this.#client.isStopped() || this.#client.gone) return { kind: 'abandoned' }
      this.#startedAtMs = this.#deps.nowMs()
      const beginning = this.#begin()
      const attempt = beginning instanceof Promise ? await beginning : beginning
      if (attempt instanceof GatewayError) return this.#isLost ? lost : { kind: 'unfit', error: attempt }
      // The client may have disconnected while the attempt was being opened, when there was nothing to stop yet.
      if (this.#client.gone || this.#isLost) attempt.abandon()
      const ended = await attempt.result
      if (this.#isLost) return lost
      const result = servedResult(ended, candidate.account)
      if (result.kind === 'complete') this.#client.claim(this, result.answer)
      this.#note(outcomeOf(result))
      if (this.#client.isStopped()) return { kind: 'abandoned' }
      const words = wordsOf(ended)
      if (words !== '') await this.keepWords(words)
      if (result.kind === 'complete') this.#deps.health.succeeded(candidate)
      if (result.kind === 'opened' || result.kind === 'complete') this.#deps.noteAnswered(this.#ticket, candidate)
      return result
    } finally {
      this.isRunning = false
      this.#client.over(this)
    }
  }

  /** The upstream's error text, for operators. */
  get said(): string | undefined {
    return this.#noted?.said
  }

  get status(): number | null {
    return this.#attempt?.status ?? null
  }

  /** Our estimate of the output tokens that the upstream has sent so far. */
  get outputTokensSeen(): number {
    return this.#attempt?.outputTokensSeen ?? 0
  }

  get finalAnswer(): Answer | null {
    return this.#attempt?.finalAnswer ?? null
  }

  /** The body sent to the upstream, if it is a single string. */
  get sentBody(): string | undefined {
    return this.#attempt?.sentBody
  }

  /** The last frames for the client. Undefined if nothing was written yet. */
  failFrames(error: GatewayError): string | null | undefined {
    return this.#attempt?.failFrames(error)
  }

  /** Stops the attempt. Returns the response if its usage was already final. */
  abandon(): Answer | null {
    return this.#attempt?.abandon() ?? null
  }

  /**
   * Another leg has answered first. This leg was late if its silence started the other one. A document arrives as a
   * whole, so this leg counts as having generated as much as the faster one.
   */
  lose({ wasLate, document }: { wasLate: boolean; document: Answer | null }): void {
    this.#isLost = true
    if (this.#startedAtMs === null) return
    const unseen = document?.usage == null ? 0 : completionTokensOf(document.usage)
    const most = Math.min(unseen, cappedOutput(this.#ticket, this.candidate))
    const outputTokens = Math.max(this.outputTokensSeen, most)
    this.abandon()
    const latencyMs = this.#deps.nowMs() - this.#startedAtMs
    const worth = this.#deps.hedging.noteLost(this.#ticket, this.candidate, { latencyMs, outputTokens, wasLate })
    this.#note('hedge_lost', worth)
  }

  onOpened(contentType?: string): void {
    this.#client.claim(this, null)
    // Recorded immediately: a stream that is already complete settles before its attempt's promise resolves.
    this.#note('answered')
    this.#deps.health.opened(this.candidate, this.#ticket.principal.walletId)
    this.#client.begin(contentType)
  }

  onEnd(end: StreamEnd): void {
    this.#client.endStream(this, end)
  }

  onOutput(tokens: number): void {
    const { candidate } = this
    // Output of an own key or a free model needs no hold.
    if (candidate.billing !== 'charged') return
    this.#deps.watchOutput(this.#ticket, { candidate, tokens }, (scope) => {
      if (!this.#isLost) this.#client.exhaust(this, scope)
    })
  }

  #begin(): Eventually<RunningAttempt | GatewayError> {
    const keep = ({ attempt, ignored }: Begun): RunningAttempt => {
      this.#attempt = attempt
      this.ignored = ignored
      return attempt
    }
    try {
      const begun = this.#deps.begin(this.#ticket, this.candidate, this)
      return begun instanceof Promise ? begun.then(keep).catch(asUnfit) : keep(begun)
    } catch (error) {
      return asUnfit(error)
    }
  }

  /** Keeps an upstream's error text, for operators. */
  async keepWords(words: string): Promise<void> {
    const [said = ''] = await withoutClientWords([words], this.#ticket)
    if (this.#noted !== null) this.#noted.said = publicText(said, accountSecrets(this.candidate.account))
  }

  /** Writes the attempt to the ticket, only the first time. */
  #note(outcome: string, worth?: NanoUsd): void {
    if (this.#noted !== null) return
    const { model, account, billing } = this.candidate
    this.#noted = {
      model: model.id,
      provider: account.vendor,
      account: account.name,
      outcome,
      status: this.status,
      durationMs: this.#deps.nowMs() - (this.#startedAtMs ?? 0),
      ...(billing === 'own_key' ? { ownKey: true } : {}),
      ...(worth === undefined ? {} : { estimatedUsd: formatUsd(worth) }),
    }
    this.#ticket.attempts.push(this.#noted)
  }
}

const lost: LegResult = { kind: 'lost' }

/** A call that the candidate's protocol cannot express. */
function asUnfit(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  throw error
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
    case 'unfit':
      return result.error.errorName
    case 'abandoned':
      return 'abandoned'
  }
}
