import { anthropicUpstream } from './anthropic-upstream.ts'
import { bedrockUpstream } from './bedrock-upstream.ts'
import { geminiUpstream } from './gemini-upstream.ts'
import { openAiUpstream } from './openai-upstream.ts'
import { responsesUpstream } from './responses-upstream.ts'
import type { Upstream } from './upstream.ts'

export const upstreams: readonly Upstream[] = [
  openAiUpstream,
  anthropicUpstream,
  geminiUpstream,
  bedrockUpstream,
  responsesUpstream,
]
