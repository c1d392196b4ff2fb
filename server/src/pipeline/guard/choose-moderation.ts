import type { Moderation } from '#ports/moderation.ts'
import { bothModerations } from './both-moderations.ts'

export type ModerationEngine = 'off' | 'built-in' | 'upstream' | 'both'

/** What judges prompts, as the operator has chosen; null for nothing. The built-in policies come first, because they cost no request. */
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
