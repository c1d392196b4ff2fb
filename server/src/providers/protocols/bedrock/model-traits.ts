import type { Target } from '#providers/protocol.ts'
import { type ClaudeTraits, claudeTraitsAt } from '#providers/traits/claude-traits.ts'
import { bareModel } from './bare-model.ts'

/**
 * What has to be known of a model, because Converse leaves it to the models: read from the id, which names the maker.
 */
export interface ModelTraits {
  readonly isClaude: boolean
  readonly isNova: boolean
  /** Of no meaning to others. */
  readonly claude: ClaudeTraits
}

/**
 * An operator's own profile that nothing is known of is most likely for Claude, and only its clients send what this
 * decides about.
 */
export function modelTraitsOf(target: Target): ModelTraits {
  const name = bareModel(target.upstreamModel, target.model) ?? 'claude'
  return {
    isClaude: /claude|anthropic/i.test(name),
    isNova: /\bnova-/.test(name),
    claude: claudeTraitsAt(target),
  }
}
