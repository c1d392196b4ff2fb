import { isJsonObject } from '#lib/json.ts'
import { topLevelCachedTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'

/** Moonshot's two sites, which differ only in the host name. */
const quirks: Partial<OpenAiQuirks> = {
  streamUsage: 'always',
  thoughtsFor: () => 'content-with-tools',
  extraCounts: topLevelCachedTokens,
  // Older models report usage inside the last choice.
  findUsage: ({ choices }) => {
    const [choice] = Array.isArray(choices) ? choices : []
    return isJsonObject(choice) && isJsonObject(choice.usage) ? choice.usage : undefined
  },
  thinkingField: 'thinking',
  replay: 'content',
}

export const moonshotai = openAiHost({
  slug: 'moonshotai',
  name: 'Moonshot AI',
  baseUrl: 'https://api.moonshot.ai/v1',
  quirks,
})

export const moonshotaiCn = openAiHost({
  slug: 'moonshotai-cn',
  name: 'Moonshot AI (China)',
  baseUrl: 'https://api.moonshot.cn/v1',
  quirks,
})
