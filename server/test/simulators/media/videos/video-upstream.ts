import type { JsonObject } from '#lib/json.ts'

/**
 * An upstream of videos as tests and drills drive it, whatever host it plays and whichever process it runs in:
 * `startVideoUpstream` plays it here, `spawnVideoUpstream` in a process of its own.
 */
export interface VideoUpstream {
  /** The slug of whom it plays. */
  readonly vendor: string
  /** The address for an account with it. */
  readonly baseUrl: string
  /** Whoever does not show it is refused. */
  readonly key: string
  /** How every order goes from now on, unless `playNext` says otherwise. */
  play(script: Partial<VideoScript>): Promise<void>
  /** How the next orders go, one each. */
  playNext(...scripts: Partial<VideoScript>[]): Promise<void>
  /** What its videos are from now on. */
  serve(movie: Buffer): Promise<void>
  /** In the order in which they came. Those that were taken are here, also where nobody was told. */
  orders(): Promise<SeenOrder[]>
  requests(): Promise<SeenRequest[]>
  /** Resolves when so many orders were taken in all. */
  waitForOrders(count: number): Promise<void>
  close(): Promise<void>
}

/** How an order goes, from its submit to its end. */
export interface VideoScript {
  readonly submit: SubmitPlay
  /** Polls that hear that it waits, and after those the polls that hear that it is being made. */
  readonly pendingPolls: number
  readonly workingPolls: number
  readonly end: VideoEnd
  /** What happens to a poll on the way; `lost` polls count as polls, and so do those `refused` as a bad request. */
  readonly poll: 'answered' | 'lost' | 'twice' | 'refused'
  /** `gone`: it was made, but its links have expired. */
  readonly files: 'served' | 'gone'
}

type SubmitPlay =
  | 'answered'
  /** Taken, and then the connection is dropped. */
  | 'lost'
  /** The connection is dropped, and nothing is taken. */
  | 'dropped'
  /** The answer comes two times over the same connection. */
  | 'twice'
  /** Refused in the host's own form, as a fault of its own, as one too many, or as a bad request. */
  | 'failing'
  | 'limited'
  | 'invalid'

type VideoEnd =
  | { readonly kind: 'made'; readonly count: number }
  | { readonly kind: 'failed'; readonly message: string }
  /** Refused for its content, in the host's own way, which may call that completed. */
  | { readonly kind: 'moderated' }
  /** The host no longer knows it. */
  | { readonly kind: 'expired' }
  /** It says for ever something that nobody knows. */
  | { readonly kind: 'odd' }

export const usualScript: VideoScript = {
  submit: 'answered',
  pendingPolls: 0,
  workingPolls: 0,
  end: { kind: 'made', count: 1 },
  poll: 'answered',
  files: 'served',
}

/** An order that was taken. */
export interface SeenOrder {
  readonly id: string
  /** What the caller calls it, at hosts that keep that. */
  readonly name: string | null
  readonly prompt: string
  readonly path: string
  /** Empty where it was a form. */
  readonly body: JsonObject
  readonly takenAtMs: number
  /** When it was asked about. */
  readonly pollsAtMs: readonly number[]
  /** How often one of its videos was fetched. */
  readonly downloads: number
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly atMs: number
}
