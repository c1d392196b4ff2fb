import { wholeCall } from './openai.ts'
import { openAiCompatible, roleOnFirstDelta } from './openai-compatible.ts'

/** Keys are omitted rather than null, calls arrive whole, and completion tokens exclude reasoning tokens. */
export const xai = openAiCompatible(() => 'reasoning_content', {
  id: '6d1f0a2b-93c4-4d7e-8b5a-1c2d3e4f5a6b',
  model: 'grok-x',
  envelope: ({ id, created, model }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    system_fingerprint: 'fp_xai',
  }),
  open: roleOnFirstDelta,
  toolCalls: (calls) => calls.map((call, index) => ({ tool_calls: [{ ...wholeCall(call), index }] })),
  choice: ({ index, delta, finish }) => ({ index, delta, ...(finish === null ? {} : { finish_reason: finish }) }),
  usagePlace: () => 'always-chunk',
  usage: ({ prompt, completion, cached, reasoning, searches }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion - reasoning,
    total_tokens: prompt + completion,
    prompt_tokens_details: { text_tokens: prompt, audio_tokens: 0, image_tokens: 0, cached_tokens: cached },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    num_sources_used: searches,
    // One tick is 1e-10 USD: here 0.2 USD per million read and 0.5 per million generated.
    cost_in_usd_ticks: prompt * 2000 + completion * 5000,
  }),
})
