import { onceHere } from '#lib/eventually.ts'
import type { Moderation, ModerationRequest, ModerationVerdict } from '#ports/moderation.ts'

export type ModerationEngine = 'off' | 'built-in' | 'upstream' | 'both'

/**
 * The moderation that the operator has chosen, or null for none. The built-in policies come first, because they cost no
 * request.
 */
export function chooseModeration(
  engine: ModerationEngine,
  make: { readonly builtIn: () => Moderation; readonly upstream: () => Moderation },
): Moderation | null {
  switch (engine) {
    case 'off':
      return null
    case 'built-in':
      return make.builtIn()
    case 'upstream':
      return make.upstream()
    case 'both':
      return bothModerations(make.builtIn(), make.upstream())
  }
}

/** Asks the second only about texts that the first allows. */
export function bothModerations(first: Moderation, second: Moderation): Moderation {
  return {
    review(request) {
      return onceHere(first.review(request), (verdict) => goOn(verdict, request))
    },
  }

  function goOn(verdict: ModerationVerdict, request: ModerationRequest): ReturnType<Moderation['review']> {
    return verdict.allowed ? second.review(request) : verdict
  }
}
