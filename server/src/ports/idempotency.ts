/** A request that must not act twice, however often it is sent. */
export interface IdempotentRequest {
  /** The endpoint and the owner of the key: keys of different clients do not collide. */
  readonly scope: string
  /** As the client sent it. */
  readonly key: string
  /** Fingerprint of the request. The same key with another fingerprint is an error of the client. */
  readonly fingerprint: string
}
