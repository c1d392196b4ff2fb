import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Realtime, RealtimeLine } from '#pipeline/realtime.ts'
import type { Arrival, Ticket } from '#pipeline/types.ts'

/** The status of the handshake, which is the only status that a session's upstream answers. */
const switchingProtocols = 101

type TurnDeps = Pick<Realtime, 'settle' | 'readAnswer' | 'noteUnbilledCancel'> & { readonly nowMs: () => number }

/**
 * One response of a session. It begins with the hold, and ends once: answered, when `response.done` has arrived, or
 * abandoned.
 */
export class Turn {
  readonly arrival: Arrival
  /** The client's id of the event that asked for it; null if it has none. */
  readonly clientEventId: string | null
  /** Set once the upstream has started it. */
  responseId: string | null = null
  /** Whether the upstream was asked for it. */
  isSent = false
  /** Set once it has a hold. */
  ticket: Ticket | null = null
  /** Resolves once it is settled. */
  readonly over: Promise<void>
  readonly #deps: TurnDeps
  readonly #line: RealtimeLine
  #resolve: () => void = () => {}

  constructor(deps: TurnDeps, line: RealtimeLine, asked: { arrival: Arrival; clientEventId: string | null }) {
    this.#deps = deps
    this.#line = line
    this.arrival = asked.arrival
    this.clientEventId = asked.clientEventId
    this.over = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get publicId(): string {
    return publicGenerationId(this.arrival.generationId)
  }

  noteOutput(): void {
    if (this.ticket !== null) this.ticket.firstTokenAtMs ??= this.#deps.nowMs()
  }

  /** It was rejected before its hold. */
  drop(): void {
    this.#resolve()
  }

  /** Settles the usage of `response.done`. The cost may be shown from then on. */
  async answer(response: JsonObject, { cancelled }: { cancelled: boolean }): Promise<NanoUsd> {
    const ticket = this.#begun()
    const candidate = this.#candidateOf(ticket)
    this.#noteAttempt(ticket, 'answered')
    const answer = this.#deps.readAnswer(response)
    try {
      return await this.#deps.settle(ticket, {
        kind: 'answered',
        candidate,
        status: switchingProtocols,
        answer,
        cancelled,
      })
    } finally {
      this.#resolve()
    }
  }

  /** Refunds a response whose usage will not arrive. */
  async abandon(reason: RefundReason, error: GatewayError | null): Promise<void> {
    const ticket = this.#begun()
    const candidate = this.#candidateOf(ticket)
    const cancelled = reason === 'client_cancelled'
    if (ticket.settlement === null) {
      this.#noteAttempt(ticket, reason)
      if (cancelled && ticket.plan.isBilled) this.#deps.noteUnbilledCancel(ticket, candidate)
    }
    try {
      await this.#deps.settle(ticket, {
        kind: 'refunded',
        reason,
        candidate,
        status: switchingProtocols,
        answer: null,
        cancelled,
        error,
      })
    } finally {
      this.#resolve()
    }
  }

  /** At the price of its hold: the session may have begun at another one. */
  #candidateOf({ plan }: Ticket): RealtimeLine['candidate'] {
    return plan.candidates[0] ?? this.#line.candidate
  }

  #begun(): Ticket {
    assert(this.ticket !== null, 'a response has a hold before it ends')
    return this.ticket
  }

  #noteAttempt({ attempts, arrival }: Ticket, outcome: string): void {
    const { model, account } = this.#line.candidate
    attempts.push({
      model: model.id,
      provider: account.vendor,
      account: account.name,
      outcome,
      status: switchingProtocols,
      durationMs: this.#deps.nowMs() - arrival.receivedAtMs,
    })
  }
}
