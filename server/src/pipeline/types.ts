import type { Dialect, DialectCall } from '#dialects/dialect.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import type { Attempt, RefundReason } from '#domain/ledger/generation-record.ts'
import type { FreeAsk } from '#domain/limits/free-quota.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { Charge } from '#domain/money/charge.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Excluded, RoutingExplanation } from '#domain/routing/explanation.ts'
import type { RequestTrace } from '#domain/tracing/request-trace.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { HoldGrowth } from '#ports/money.ts'

/** A request as the edge hands it in. */
export interface Arrival {
  readonly generationId: Uuid
  readonly receivedAtMs: number
  /** What the client speaks. */
  readonly dialect: Dialect
  /** Who may call the endpoint: a row of the access table. */
  readonly access: AccessAction
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly clientIp: string | null
  readonly appName: string | null
  /** Whether it may go on at the paid price when a free quota is used up. */
  readonly freeFallback: boolean
  /** Brings in the body, which is read only once its sender is known; `body` and `files` hold from then on. */
  readonly receive: (principal: Principal) => Promise<void>
  /** Whether bringing it in takes more than reading JSON, as forms with files do. */
  readonly isCostlyToReceive: boolean
  readonly body: JsonObject
  /** The files of a form. */
  readonly files: readonly FormFile[]
  readonly bodyBytes: number
  /** Whether the client asked for named events (`Accept: text/event-stream`), which only image output has. */
  readonly wantsEvents: boolean
  readonly connection: ClientConnection
  /**
   * The prefix of the path that the client called, `/api` on the legacy host; relative links in answers begin with it.
   */
  readonly basePath: '' | '/api'
  /** Where the client reaches us, such as `https://weir.example`, with the base path, for links in answers. */
  readonly ownUrl: string
  /** Sent with every answer: request id, generation id. */
  readonly replyHeaders: Readonly<Record<string, string>>
  /** Null where no traces are made. */
  readonly trace: RequestTrace | null
}

/** The connection to the client. */
export interface ClientConnection {
  readonly gone: boolean
  /** At most one listener; called once, when the connection closes before the answer is complete. */
  onGone(listener: () => void): void
  readonly streaming: boolean
  /** Sends the head of a stream: of events, unless another type is named. */
  startStream(headers: Readonly<Record<string, string>>, contentType?: string): void
  /** False when the connection is full: wait for the drain. */
  write(bytes: Buffer | string): boolean
  onDrain(listener: () => void): void
  end(): void
  /** Called once the whole answer was handed to the network; never if the client disconnects before. */
  onSent(listener: () => void): void
  /** When something was last sent, or the request arrived; for keep-alives. */
  readonly quietSinceMs: number
  /** Since when the client has not taken what it was sent; null while it reads. */
  readonly blockedSinceMs: number | null
  /** Closes the connection, as if the client had. */
  drop(): void
}

/** What the edge has left to do: send a document, or nothing, because a stream is on its way or the client has left. */
export type Reply =
  | { kind: 'document'; headers: Readonly<Record<string, string>>; body: string; contentType?: string; status?: number }
  | { kind: 'handled' }

/** What may serve and what to reserve for it. Only the route stage makes one. */
export interface Plan {
  readonly call: DialectCall
  readonly candidates: readonly Candidate[]
  /** Output tokens the opening hold covers, for all choices together. */
  readonly heldTokens: number
  readonly amount: NanoUsd
  /** What breakers count while it runs. */
  readonly estimate: NanoUsd
  /**
   * The client set no cap: the hold grows at its start or while streaming, and the upstream is told a cap that it can
   * cover.
   */
  readonly isOpenEnded: boolean
  /** Of an open-ended hold. */
  readonly growth?: HoldGrowth
  /**
   * Set if the hold covers all that the request can cost, because that is more than its wallet's daily limit of unpaid
   * costs has room for.
   */
  readonly reservesExactly?: true
  /** Set if the hold covers the model's maximum cost, because the wallet exceeded its daily limit of unpaid costs. */
  readonly reservesMost?: true
  /** Whether any candidate charges; otherwise nothing is reserved. */
  readonly isBilled: boolean
  readonly explanation: RoutingExplanation
  /** Set where several hosts could answer, to stay with the one whose prompt cache is warm. */
  readonly conversation: string | null
  /** Free models that are not counted yet, by id: each is when it is asked. */
  readonly freeAsks?: Map<string, FreeAsk>
}

/** One request on its way, from the hold to its one end. */
export interface Ticket {
  readonly arrival: Arrival
  readonly principal: Principal
  readonly plan: Plan
  readonly windows: readonly LimitedWindow[]
  readonly replyHeaders: Readonly<Record<string, string>>
  /**
   * What wallet and limits could pay for at the start: the cap that an open-ended request's upstream is told comes from
   * it.
   */
  readonly payable: NanoUsd
  heldAmount: NanoUsd
  heldTokens: number
  readonly attempts: Attempt[]
  /** Candidates that were not asked because of how they were doing. */
  readonly skipped: Excluded[]
  firstTokenAtMs: number | null
  /** The output items of the complete answer; absent where they must not be kept. */
  output?: readonly JsonObject[]
  /** The one settlement; set by the first that ends the request. */
  settlement: Promise<NanoUsd> | null
}

/**
 * Looks at the output so far; calls `refused` when it has outgrown what can be paid for, with what was short: `wallet`
 * or the kind of a window.
 */
export type WatchOutput = (ticket: Ticket, output: SeenOutput, refused: (scope: string) => void) => void

export interface SeenOutput {
  readonly candidate: Candidate
  /** A guess, of all choices together. */
  readonly tokens: number
}

/** How a request ended. */
export type Outcome =
  | {
      readonly kind: 'answered'
      readonly candidate: Candidate
      readonly status: number
      readonly answer: Answer
      readonly cancelled: boolean
      /** Our estimate of the output that reached the client, for use when the upstream's count is implausible. */
      readonly deliveredTokens?: () => number
    }
  | {
      readonly kind: 'refunded'
      readonly reason: RefundReason
      readonly candidate: Candidate | null
      readonly status: number | null
      readonly answer: Answer | null
      readonly cancelled: boolean
      readonly error: GatewayError | null
    }

/** What an outcome costs, before it is written. */
export interface Judged {
  readonly outcome: Outcome
  readonly charge: Charge
  readonly refundReason: RefundReason | null
  /** What it came to beyond the charge, because nothing was left to pay it with. */
  readonly absorbed: NanoUsd
  /** More tokens than the request can have used: the charge covers only the hold and the delivered output. */
  readonly usageDoubted: boolean
}

/** What an upstream's complete answer says beside its content. */
export interface Answer {
  /** Null when the upstream sent none. */
  readonly usage: Usage | null
  readonly finishReason: string | null
  readonly nativeFinishReason: string | null
}

/** Reads one upstream's answer as its bytes arrive. Made by `dispatch/answer`, fed by dispatch. */
export interface AnswerReader {
  data(bytes: Buffer): void
  end(): void
  /** Output seen so far, for growing the hold; never for charging. */
  readonly outputTokensEstimate: number
  /** Whether usage has arrived that will not change any more: it is billed even if the client leaves now. */
  readonly finalAnswer: Answer | null
  /**
   * The last frames of a stream that ends in an error, in whatever state it is; null where only a broken connection
   * tells.
   */
  fail(error: GatewayError): string | null
}

export type LastBytes = string | Buffer

/** How an answer can be unusable although it came with status 200. */
export interface AnswerFailure {
  kind: 'broken' | 'oversize' | 'error' | 'empty'
  message: string
}

export interface AnswerListener {
  /** Bytes for the client; nothing is final before `done`. */
  bytes(bytes: Buffer | string): void
  /** The first thing of substance has come: from here on this upstream serves. Called before the bytes that hold it. */
  opened(contentType?: string): void
  /** The upstream failed inside its answer. */
  unusable(failure: AnswerFailure): void
  /** The answer is complete. `close` gives the last bytes, which show the cost: only after it is settled. */
  done(answer: Answer, close: (cost: NanoUsd) => LastBytes): void
}
