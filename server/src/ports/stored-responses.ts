import type { ResponsePart } from '#domain/responses/stored-response-blobs.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Responses that clients asked to store, sealed, for the time that the operator sets. */
export interface StoredResponses {
  /** Stores a complete response. False if its person was deleted. */
  keep(response: NewResponse): Promise<boolean>
  /** Stores a response that this process works on in the background. Null if its person was deleted. */
  begin(response: NewResponse): Promise<RunningResponse | null>
  /** Replaces the response of a running one, which goes on running. */
  write(running: RunningResponse, response: string): Promise<void>
  /** Ends a running response. False if it was cancelled or deleted, or its lease has lapsed. */
  finish(running: RunningResponse, response: string): Promise<boolean>
  /** Renews the leases of running responses and returns the ids of those that still run. */
  renew(ids: readonly Uuid[]): Promise<readonly Uuid[]>
  /** Null if the owner has no such response. */
  find(owner: ResponseOwner, id: Uuid): Promise<FoundResponse | null>
  /** Null if the bytes are gone or can no longer be decrypted. */
  read(found: FoundResponse, part: ResponsePart): Promise<Buffer | null>
  /** Ends a running response. False if it does not run. */
  cancel(owner: ResponseOwner, id: Uuid): Promise<boolean>
  /** Deletes a response that does not run. False if there is none. */
  remove(owner: ResponseOwner, id: Uuid): Promise<boolean>
}

/** Whose keys may read a response. The person is null for an organization's own keys. */
export interface ResponseOwner {
  readonly walletId: Uuid
  readonly personId: Uuid | null
}

export interface NewResponse {
  readonly id: Uuid
  readonly owner: ResponseOwner
  /** JSON, like `response`. */
  readonly input: string
  readonly response: string
}

/** A response in the background, for the process that works on it. */
export interface RunningResponse {
  readonly id: Uuid
  readonly owner: ResponseOwner
  readonly dataKey: Buffer
}

export interface FoundResponse {
  readonly id: Uuid
  readonly owner: ResponseOwner
  /** `lapsed` if its gateway died while it ran, and it was not charged. */
  readonly state: 'running' | 'lapsed' | 'ended' | 'cancelled'
  /** Null if no configured secret decrypts it. */
  readonly dataKey: Buffer | null
}
