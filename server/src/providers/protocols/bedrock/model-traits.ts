/** What has to be known of a model, because Converse leaves it to the models: read from the id, which names the maker. */
export interface ModelTraits {
  readonly isClaude: boolean
  readonly isNova: boolean
  /** Chooses by itself how much to think; it is told an effort and no budget. */
  readonly thinksAdaptively: boolean
}

export function modelTraitsOf(upstreamModel: string): ModelTraits {
  const isClaude = /claude|anthropic/i.test(upstreamModel) || unnamedModel.test(upstreamModel)
  const [, major = '0', minor = '0'] = claudeVersion.exec(upstreamModel) ?? []
  const version = Number(major) * 100 + Number(minor)
  return { isClaude, isNova: /\bnova-/.test(upstreamModel), thinksAdaptively: version >= 406 }
}

/** An operator's own profile hides what is behind it. Most are for Claude, and only its callers send what this decides about. */
const unnamedModel = /^arn:[^/]*:(?:application-inference-profile|provisioned-model|prompt-router)\//

/** As in claude-opus-4-6 or claude-sonnet-4-20250514, whose second number is a date. */
const claudeVersion = /claude-[a-z]+-(\d{1,2})(?:-(\d{1,2})(?!\d))?/
