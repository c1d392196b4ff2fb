import type { SettledEvent } from '#domain/events/settled-event.ts'

/** Receives settled requests for the operator. */
export interface EventSink {
  /** The name under which its position is stored. */
  readonly name: string
  /** Resolves once the sink has stored all of them. A rejection means that they must be sent again. */
  send(events: readonly SettledEvent[]): Promise<SendOutcome>
}

export type SendOutcome =
  /** `remark`: a message of the sink although it accepted the events. */
  | { readonly kind: 'taken'; readonly remark?: string }
  /** `afterMs`: when to retry, if the sink said so. */
  | { readonly kind: 'busy'; readonly why: string; readonly afterMs?: number }
  /** The sink will respond the same until an operator changes something. */
  | { readonly kind: 'refused'; readonly why: string }

/** Stores the position of each sink. */
export interface EventCursors {
  /** Starts new sinks, deletes all others, and lets paused sinks retry immediately. Returns the deleted ones. */
  keep(names: readonly string[], options: { fromStart: boolean }): Promise<readonly string[]>
  /**
   * No other worker has this sink until `use` ends. Null if it is another worker's turn, a pause is not over, or
   * nothing waits.
   */
  withTurn<Result>(name: string, use: (turn: SinkTurn) => Promise<Result>): Promise<Result | null>
}

export interface SinkTurn {
  /** For how long the sink has accepted nothing. Zero while it works. */
  readonly failingForMs: number
  /** The next whole transactions that are already rolled up, about `atMost` events. */
  read(atMost: number): Promise<EventBatch>
  /** Commits the cursor after delivery. */
  move(batch: EventBatch): Promise<void>
  fail(error: string, againInMs: number): Promise<void>
}

interface EventBatch {
  readonly events: readonly SettledEvent[]
  /** Every event below this position is in the batch or was sent before. */
  readonly below: string
  /** Whether more are available immediately. */
  readonly isFull: boolean
}

export interface SinkListing {
  readonly name: string
  readonly waiting: number
  /** Whether there are more than were counted. */
  readonly isMore: boolean
  /** When the oldest waiting event was settled. */
  readonly waitingSinceMs: number | null
  readonly sentAtMs: number | null
  readonly failingSinceMs: number | null
  readonly lastError: string | null
  readonly dueAtMs: number | null
}
