import type { Target } from '#providers/protocol.ts'
import { type ClaudeTraits, claudeTraitsAt } from '#providers/traits/claude-traits.ts'
import { bareModel } from './bare-model.ts'

/** Facts about a model that Converse does not unify. They are derived from the id, which names the maker. */
export interface ModelTraits {
  readonly isClaude: boolean
  readonly isNova: boolean
  /** Has no meaning for other models. */
  readonly claude: ClaudeTraits
}

/**
 * An operator's own inference profile with an unknown model is most likely Claude, and only Claude's clients send the
 * fields that depend on this.
 */
export function modelTraitsOf(target: Target): ModelTraits {
  const name = bareModel(target.upstreamModel, target.model) ?? 'claude'
  return {
    isClaude: /claude|anthropic/i.test(name),
    isNova: /\bnova-/.test(name),
    claude: claudeTraitsAt(target),
  }
}
