/** A request that must not act twice, however often it is sent. */
export interface IdempotentRequest {
  /** The endpoint, and whose keys they are: keys of different clients do not meet. */
  readonly scope: string
  /** As the client sent it. */
  readonly key: string
  /** Of what was asked for. The same key with another one is a mistake of the client. */
  readonly fingerprint: string
}
