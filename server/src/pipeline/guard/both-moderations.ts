import type { Moderation, ModerationRequest, ModerationVerdict } from '#ports/moderation.ts'

/** Asks the second only about what the first lets through. */
export function bothModerations(first: Moderation, second: Moderation): Moderation {
  return {
    review(request) {
      const verdict = first.review(request)
      return verdict instanceof Promise ? verdict.then((judged) => goOn(judged, request)) : goOn(verdict, request)
    },
  }

  function goOn(verdict: ModerationVerdict, request: ModerationRequest): ReturnType<Moderation['review']> {
    return verdict.allowed ? second.review(request) : verdict
  }
}
