import type { AskedStorage, Dialect, DialectCall } from '#dialects/dialect.ts'
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
import type { HedgeAfter } from '#domain/routing/preferences.ts'
import type { Excluded, RoutingExplanation } from '#domain/routing/explanation.ts'
import type { RequestTrace } from '#domain/tracing/request-trace.ts'
import type { SentRun } from '#domain/runs/run.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { HoldGrowth } from '#ports/money.ts'

/** A request as the edge passes it on. */
export interface Arrival {
  readonly generationId: Uuid
  readonly receivedAtMs: number
  /** The client's dialect. */
  readonly dialect: Dialect
  /** The access rule of the endpoint: a row of the access table. */
  readonly access: AccessAction
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly clientIp: string | null
  readonly appName: string | null
  /** Null if no header says for whom or for what the request is. */
  readonly attribution: SentAttribution | null
  /** The most that the request may cost, as a header of it says. */
  readonly maxCost: string | undefined
  /** Whether the request may continue at the paid price when a free quota is used up. */
  readonly freeFallback: boolean
  /** The idempotency key, which makes a retry the same request. */
  readonly idempotencyKey?: string | undefined
  /** Stores the answer; set once an idempotency key is claimed. */
  readonly recording?: AnswerRecording
  /** The kept answer of an identical request, which is sent in place of an upstream's. */
  readonly cached?: CachedAnswer
  /** Keeps the answer for identical requests; set once the request may fill the cache. */
  readonly filling?: CacheFilling
  /** What the request asks of stored responses. Missing if nothing, or if none are stored. */
  readonly storage?: AskedStorage
  /** Reads the body, only once its sender is known. `body` and `files` are valid from then on. */
  readonly receive: (principal: Principal) => Promise<void>
  /** Whether receiving the body takes more than reading JSON, as forms with files do. */
  readonly isCostlyToReceive: boolean
  readonly body: JsonObject
  /** Files of a form. */
  readonly files: readonly FormFile[]
  readonly bodyBytes: number
  /** Whether the client asked for named events (`Accept: text/event-stream`), which only image output has. */
  readonly wantsEvents: boolean
  readonly connection: ClientConnection
  /** Prefix of the called path, such as `/api` on the legacy host. Relative links in responses begin with it. */
  readonly basePath: '' | '/api' | '/openrouter'
  /**
   * The gateway's address as the client reaches it, such as `https://weir.example`, with the base path, for links in
   * responses.
   */
  readonly ownUrl: string
  /** Sent with every response: request id, generation id. */
  readonly replyHeaders: Readonly<Record<string, string>>
  /** Null if tracing is off. */
  readonly trace: RequestTrace | null
}

/** The headers that say for whom and for what a request is, as they were sent. */
export interface SentAttribution extends SentRun {
  readonly customer?: string | undefined
  readonly tags?: string | undefined
}

/** Stores the answer of a request with an idempotency key. */
export interface AnswerRecording {
  /** Stores the rest of an answer before it is settled. It never fails: an answer that cannot be stored is not kept. */
  complete(rest: AnswerRest): Promise<void>
  /** Called once the settle is durable. `isAsWritten` is false if the stored answer shows another cost. */
  settled(isAsWritten: boolean): void
  /** The request was not answered: its key can be used again. */
  forget(): Promise<void>
}

/** The rest of an answer: the last bytes of a stream, or a whole document. */
export interface AnswerRest {
  /** For a document. A stream has begun already. */
  readonly head?: AnswerHead
  readonly bytes: LastBytes
}

/** A kept answer, with the id and the time of the request that gets it. */
export interface CachedAnswer {
  /** The generation whose answer it is. */
  readonly from: Uuid
  /** Of the upstream's answer. */
  readonly status: number
  /** Set if it is not the usual type. */
  readonly contentType?: string
  /** Parameters that the contract drops silently for this model. */
  readonly ignored: readonly string[]
  readonly answer: Answer
  /** The part of a stream that is sent before its cost is known. `release` is called once the client has it. */
  body(): { readonly bytes: Buffer; release(): void }
  /** The rest of a stream, or a whole document. */
  end(cost: NanoUsd): string
  /** The output items that later requests may refer to. Null if they must not be kept. */
  output(): readonly JsonObject[] | null
}

/** The end of an answer, before it is written. */
export interface AnswerEnd {
  readonly close: (cost: NanoUsd) => LastBytes
  readonly contentType: string | undefined
  readonly ignored: readonly string[]
}

/** Keeps the answer of a request that may fill the cache. It never fails the request. */
export interface CacheFilling {
  /** Called with the client's bytes of a stream, except the last ones. */
  wrote(bytes: LastBytes): void
  /** Writes the end of the answer, at most once. Called before the settle. */
  ending(end: AnswerEnd): (cost: NanoUsd) => string
  /** Called once the settle is durable. It decides whether the answer is kept. */
  settled(ticket: Ticket, judged: Judged): void
  /** The request ended before its settle: an identical request asks the upstream. */
  forget(): void
  /** The request has ended. */
  released(): void
}

/** The start of an answer. */
export interface AnswerHead {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/** The connection to the client. */
export interface ClientConnection {
  readonly gone: boolean
  /** At most one listener. Called once, if the connection closes before the response is complete. */
  onGone(listener: () => void): void
  readonly streaming: boolean
  /** Sends the head of a stream: an event stream, unless another type is named. */
  startStream(headers: Readonly<Record<string, string>>, contentType?: string): void
  /** Returns false if the connection is full: wait for the drain. */
  write(bytes: Buffer | string): boolean
  onDrain(listener: () => void): void
  end(): void
  /** Called once the whole response was handed to the network; never if the client disconnects before. */
  onSent(listener: () => void): void
  /** When something was last sent, or the request arrived; for keep-alives. */
  readonly quietSinceMs: number
  /** Since when the client has not read what was sent. Null while it reads. */
  readonly blockedSinceMs: number | null
  /** Closes the connection, as if the client had disconnected. */
  drop(): void
}

/**
 * The remaining work of the edge: send a document, or nothing because a stream is running or the client has
 * disconnected.
 */
export type Reply =
  | { kind: 'document'; headers: Readonly<Record<string, string>>; body: string; contentType?: string; status?: number }
  | { kind: 'handled' }

/** The candidates and the amount to reserve for them. Only the route stage creates a plan. */
export interface Plan {
  readonly call: DialectCall
  readonly candidates: readonly Candidate[]
  /** Output tokens that the opening hold covers, over all choices. */
  readonly heldTokens: number
  readonly amount: NanoUsd
  /** The amount that counts in breakers while the request runs. */
  readonly estimate: NanoUsd
  /**
   * The client set no cap: the hold grows at its start or while streaming, and the upstream gets a cap that the hold
   * can cover.
   */
  readonly isOpenEnded: boolean
  /** For an open-ended hold. */
  readonly growth?: HoldGrowth
  /**
   * Set if the hold covers everything that the request can cost, because that cost exceeds the wallet's remaining daily
   * limit of unpaid costs.
   */
  readonly reservesExactly?: true
  /** Set if the hold covers the model's maximum cost, because the wallet exceeded its daily limit of unpaid costs. */
  readonly reservesMost?: true
  /** The most that the client allows the request to cost. */
  readonly maxCost?: NanoUsd
  /** When a second provider is asked. Missing if the client did not ask for it. */
  readonly hedgeAfter?: HedgeAfter
  /** Whether any candidate charges. Otherwise nothing is reserved. */
  readonly isBilled: boolean
  readonly explanation: RoutingExplanation
  /** Set if several upstreams could answer, so that the next turn goes to the one with the warm prompt cache. */
  readonly conversation: string | null
  /** Free models that this request is not counted for yet, by id. Each is counted when it is asked. */
  readonly freeAsks?: Map<string, FreeAsk>
}

/** One request, from the hold to its single end. */
export interface Ticket {
  readonly arrival: Arrival
  readonly principal: Principal
  readonly plan: Plan
  readonly windows: readonly LimitedWindow[]
  readonly replyHeaders: Readonly<Record<string, string>>
  /**
   * The amount that the wallet and limits could pay at the start. It determines the cap that an open-ended request
   * sends upstream.
   */
  readonly payable: NanoUsd
  heldAmount: NanoUsd
  heldTokens: number
  readonly attempts: Attempt[]
  /** Candidates that were skipped because of their health. */
  readonly skipped: Excluded[]
  firstTokenAtMs: number | null
  /** The output items of the complete response. Absent if they must not be kept. */
  output?: readonly JsonObject[]
  /** The only settlement, set by the first call that ends the request. */
  settlement: Promise<NanoUsd> | null
}

/**
 * Observes the output so far. If it exceeds what can be paid for, calls `refused` with the scope that lacks room:
 * `wallet` or the kind of a window.
 */
export type WatchOutput = (ticket: Ticket, output: SeenOutput, refused: (scope: string) => void) => void

export interface SeenOutput {
  readonly candidate: Candidate
  /** An estimate, over all choices. */
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
      /**
       * The gateway's estimate of the output that reached the client, for use when the upstream's count is implausible.
       */
      readonly deliveredTokens?: () => number
      /** The rest of the answer, with its cost, for a request whose answer is stored. */
      readonly rest?: (cost: NanoUsd) => AnswerRest
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

/** The cost of an outcome, before it is written. */
export interface Judged {
  readonly outcome: Outcome
  readonly charge: Charge
  readonly refundReason: RefundReason | null
  /** The part of the cost that is not charged because the wallet and limits had no room for it. */
  readonly absorbed: NanoUsd
  /**
   * The upstream reported more tokens than the request can have used: the charge covers only the hold and the delivered
   * output.
   */
  readonly usageDoubted: boolean
}

/** The data of an upstream's complete response besides its content. */
export interface Answer {
  /** Null if the upstream sent none. */
  readonly usage: Usage | null
  readonly finishReason: string | null
  readonly nativeFinishReason: string | null
}

/** Reads one upstream's response as its bytes arrive. Created by `dispatch/answer`, fed by dispatch. */
export interface AnswerReader {
  data(bytes: Buffer): void
  end(): void
  /** Output seen so far, for growing the hold, never for charging. */
  readonly outputTokensEstimate: number
  /** The response, if its usage is final: it is billed even if the client disconnects now. */
  readonly finalAnswer: Answer | null
  /**
   * The last frames of a stream that ends in an error, in any state. Null if the client can only be told by a broken
   * connection.
   */
  fail(error: GatewayError): string | null
}

export type LastBytes = string | Buffer

/** How a response can be unusable although it has status 200. */
export interface AnswerFailure {
  kind: 'broken' | 'oversize' | 'error' | 'empty'
  message: string
}

export interface AnswerListener {
  /** Bytes for the client. Nothing is final before `done`. */
  bytes(bytes: Buffer | string): void
  /** The first content has arrived: from here on this upstream serves. Called before the bytes that contain it. */
  opened(contentType?: string): void
  /** The upstream failed inside its response. */
  unusable(failure: AnswerFailure): void
  /** The response is complete. `close` returns the last bytes, which show the cost, only after it is settled. */
  done(answer: Answer, close: (cost: NanoUsd) => LastBytes): void
}
