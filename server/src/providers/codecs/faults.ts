import type { UpstreamRefusal } from '../refusal.ts'

/** The upstream said no, or that it failed; the refusal says what that means for the request. */
export class UpstreamRefusedError extends Error {
  readonly refusal: UpstreamRefusal

  constructor(refusal: UpstreamRefusal) {
    super(refusal.inside)
    this.refusal = refusal
  }
}

/** The upstream answered, but with nothing that can be used. */
export class UnusableAnswerError extends Error {}
