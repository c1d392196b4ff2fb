import { isJsonObject } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { editMessages } from './edit-messages.ts'
import { topLevelCachedTokens } from './extra-counts.ts'
import { withReasoningContent } from './message-edits.ts'

/** Moonshot's two sites, which differ in nothing but the host name. */
export const moonshotQuirks: Partial<OpenAiQuirks> = {
  streamUsage: 'always',
  renames: { max_completion_tokens: 'max_tokens' },
  finishBody: (body) => editMessages(body, withReasoningContent),
  extraCounts: topLevelCachedTokens,
  // Older models report usage inside the choice that ends.
  findUsage: ({ choices }) => {
    const [choice] = Array.isArray(choices) ? choices : []
    return isJsonObject(choice) && isJsonObject(choice.usage) ? choice.usage : undefined
  },
}
