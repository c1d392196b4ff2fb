import type { JsonObject } from '#lib/json.ts'

/**
 * A video upstream for tests and drills, independent of host and process: `startVideoUpstream` runs it here,
 * `spawnVideoUpstream` in its own process.
 */
export interface VideoUpstream {
  /** The slug of the simulated vendor. */
  readonly vendor: string
  /** The base URL for an account. */
  readonly baseUrl: string
  /** Requests without this key are rejected. */
  readonly key: string
  /** Sets the course of every order from now on, unless `playNext` says otherwise. */
  play(script: Partial<VideoScript>): Promise<void>
  /** Sets the course of the next orders, one each. */
  playNext(...scripts: Partial<VideoScript>[]): Promise<void>
  /** Sets the bytes of its videos. */
  serve(movie: Buffer): Promise<void>
  /** In order of arrival. Accepted orders are included even if the client got no response. */
  orders(): Promise<SeenOrder[]>
  requests(): Promise<SeenRequest[]>
  /** Resolves when this many orders were accepted in total. */
  waitForOrders(count: number): Promise<void>
  close(): Promise<void>
}

/** The course of an order, from its submit to its end. */
export interface VideoScript {
  readonly submit: SubmitPlay
  /** The number of polls with a pending status, and then of polls with a working status. */
  readonly pendingPolls: number
  readonly workingPolls: number
  readonly end: VideoEnd
  /** The fate of a poll; `lost` polls count as polls, and so do those `refused` as a bad request. */
  readonly poll: 'answered' | 'lost' | 'twice' | 'refused'
  /** `gone`: it was generated, but its links have expired. */
  readonly files: 'served' | 'gone'
}

type SubmitPlay =
  | 'answered'
  /** Accepted, and then the connection is dropped. */
  | 'lost'
  /** The connection is dropped, and nothing is accepted. */
  | 'dropped'
  /** The response is sent twice over the same connection. */
  | 'twice'
  /** An error in the host's own format: its own fault, a rate limit, or a bad request. */
  | 'failing'
  | 'limited'
  | 'invalid'

type VideoEnd =
  | { readonly kind: 'made'; readonly count: number }
  | { readonly kind: 'failed'; readonly message: string }
  /** Rejected for its content, in the upstream's own way, which may be the status completed. */
  | { readonly kind: 'moderated' }
  /** The upstream no longer knows the order. */
  | { readonly kind: 'expired' }
  /** Polls always return an unknown status. */
  | { readonly kind: 'odd' }

export const usualScript: VideoScript = {
  submit: 'answered',
  pendingPolls: 0,
  workingPolls: 0,
  end: { kind: 'made', count: 1 },
  poll: 'answered',
  files: 'served',
}

/** An accepted order. */
export interface SeenOrder {
  readonly id: string
  /** The client's name for it, at hosts that store one. */
  readonly name: string | null
  readonly prompt: string
  readonly path: string
  /** Empty for a form. */
  readonly body: JsonObject
  readonly takenAtMs: number
  /** The times of its polls. */
  readonly pollsAtMs: readonly number[]
  /** The number of downloads of its videos. */
  readonly downloads: number
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly atMs: number
}
