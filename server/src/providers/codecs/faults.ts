import type { UpstreamRefusal } from '../refusal.ts'

/** The upstream rejected the request or failed. The refusal says what that means for the request. */
export class UpstreamRefusedError extends Error {
  readonly refusal: UpstreamRefusal

  constructor(refusal: UpstreamRefusal) {
    super(refusal.inside)
    this.refusal = refusal
  }
}

/** The upstream responded, but with nothing usable. */
export class UnusableAnswerError extends Error {}
