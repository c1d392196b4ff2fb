import type { SettledEvent } from '#domain/events/settled-event.ts'

/** Where the operator wants to hear of settled requests. */
export interface EventSink {
  /** Under which it is remembered how far it has come. */
  readonly name: string
  /** Resolves once the sink has all of them for good. A rejection is an outcome to try again after. */
  send(events: readonly SettledEvent[]): Promise<SendOutcome>
}

export type SendOutcome =
  /** `remark`: what the sink had to say all the same. */
  | { readonly kind: 'taken'; readonly remark?: string }
  /** `afterMs`: when the sink wants to be asked again, if it said so. */
  | { readonly kind: 'busy'; readonly why: string; readonly afterMs?: number }
  /** It will say the same again unless an operator changes something. */
  | { readonly kind: 'refused'; readonly why: string }

/** Remembers how far each sink has come. */
export interface EventCursors {
  /** Begins what is new, forgets all others, and lets paused sinks be tried at once. Returns the forgotten ones. */
  keep(names: readonly string[], options: { fromStart: boolean }): Promise<readonly string[]>
  /**
   * No other worker has this sink until `use` is over. Null: it is another worker's turn, a pause is not over, or
   * nothing waits.
   */
  withTurn<Result>(name: string, use: (turn: SinkTurn) => Promise<Result>): Promise<Result | null>
}

export interface SinkTurn {
  /** For how long it has taken nothing; zero while it works. */
  readonly failingForMs: number
  /** The next whole transactions that are rolled up, about this many events. */
  read(atMost: number): Promise<EventBatch>
  /** What was read has been sent. */
  move(batch: EventBatch): Promise<void>
  fail(error: string, againInMs: number): Promise<void>
}

interface EventBatch {
  readonly events: readonly SettledEvent[]
  /** Every event below this position is in the batch, or was sent before. */
  readonly below: string
  /** Whether there are more at once. */
  readonly isFull: boolean
}

export interface SinkListing {
  readonly name: string
  readonly waiting: number
  /** There are more than were counted. */
  readonly isMore: boolean
  /** When the oldest that waits was settled. */
  readonly waitingSinceMs: number | null
  readonly sentAtMs: number | null
  readonly failingSinceMs: number | null
  readonly lastError: string | null
  readonly dueAtMs: number | null
}
