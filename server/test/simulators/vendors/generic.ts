import { openAiCompatible } from './openai-compatible.ts'
import { thinkTagDeltas, thinkTagMessage } from './think-tags.ts'

const base = openAiCompatible(() => 'reasoning_content', {})

/** The minimum of an OpenAI-compatible server: three usage numbers and nothing optional. */
export const generic = openAiCompatible(() => 'reasoning_content', {
  id: 'chatcmpl-generic-1',
  model: 'model-x',
  thinking: (pieces, context) =>
    context.variant === 'think-tags' ? thinkTagDeltas(pieces) : base.thinking(pieces, context),
  choice: ({ index, delta, finish }) => ({ index, delta, finish_reason: finish }),
  usage: ({ prompt, completion }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  }),
  message: (parts, context) =>
    context.variant === 'think-tags' ? thinkTagMessage(parts) : base.message(parts, context),
})
