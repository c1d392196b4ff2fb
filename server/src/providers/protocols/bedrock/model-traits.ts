import { type ClaudeTraits, claudeTraitsOf } from '#providers/traits/claude-traits.ts'

/** What has to be known of a model, because Converse leaves it to the models: read from the id, which names the maker. */
export interface ModelTraits {
  readonly isClaude: boolean
  readonly isNova: boolean
  /** Of no meaning to others. */
  readonly claude: ClaudeTraits
}

export function modelTraitsOf(upstreamModel: string, model: string | undefined): ModelTraits {
  const isClaude = /claude|anthropic/i.test(upstreamModel) || unnamedModel.test(upstreamModel)
  return { isClaude, isNova: /\bnova-/.test(upstreamModel), claude: claudeTraitsOf(upstreamModel, model) }
}

/** An operator's own profile hides what is behind it. Most are for Claude, and only its callers send what this decides about. */
const unnamedModel = /^arn:[^/]*:(?:application-inference-profile|provisioned-model|prompt-router)\//
