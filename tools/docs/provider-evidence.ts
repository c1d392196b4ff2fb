import type { VendorSlug } from '../../server/src/providers/registry.ts'
import type { Capability } from '../../server/test/twins/twin.ts'

/**
 * How a capability was verified besides twins. `specification`: the provider's own documents or types; `reports only`:
 * other projects' clients.
 */
interface Evidence {
  readonly providers: readonly VendorSlug[]
  readonly capabilities: readonly Capability[]
  readonly kind: 'specification' | 'reports only'
  readonly source: string
}

export const evidenceDate = '2026-11-15'

/** A capability without a row is unverified. */
export const providerEvidence: readonly Evidence[] = [
  reports(['alibaba', 'alibaba-cn'], ['chat'], '@ai-sdk/alibaba'),
  reports(['alibaba', 'alibaba-cn'], ['videos'], 'new-api, docs.comfy.org'),
  specified(
    ['amazon-bedrock'],
    ['embeddings', 'images', 'edits'],
    'docs.aws.amazon.com/bedrock model parameters (the SDK leaves the body of InvokeModel to its client)',
  ),
  reports(['black-forest-labs'], ['images', 'edits'], '@ai-sdk/black-forest-labs'),
  reports(['byteplus', 'volcengine'], ['images', 'edits', 'videos'], '@ai-sdk/bytedance, new-api'),
  reports(['deepinfra'], ['chat', 'embeddings'], '@ai-sdk/deepinfra'),
  reports(['deepseek'], ['chat'], '@ai-sdk/deepseek'),
  reports(['fireworks'], ['chat'], 'litellm'),
  reports(['fireworks'], ['images', 'edits'], '@ai-sdk/fireworks'),
  specified(['fireworks'], ['transcription'], 'docs.fireworks.ai/guides/querying-asr-models'),
  specified(['google-ai-studio'], ['edits'], '@google/genai `ImageConfig`'),
  specified(['google-vertex'], ['edits'], '@google/genai `ImageConfig`'),
  reports(
    [
      'huggingface',
      'nvidia',
      'novita',
      'nebius',
      'baseten',
      'friendli',
      'hyperbolic',
      'chutes',
      'scaleway',
      'wandb',
      'venice',
    ],
    ['chat'],
    'litellm (address and credential)',
  ),
  reports(['kling'], ['videos'], 'vercel/ai klingai, ComfyUI kling_api'),
  reports(['minimax', 'minimax-cn'], ['chat'], 'litellm'),
  reports(['minimax', 'minimax-cn'], ['speech'], 'platform.minimax.io T2A v2 as others quote it, litellm'),
  reports(['minimax', 'minimax-cn'], ['videos'], 'new-api, @ai-sdk/minimax'),
  reports(['moonshotai', 'moonshotai-cn'], ['chat'], '@ai-sdk/moonshotai'),
  specified(['openrouter'], ['images', 'edits', 'speech', 'transcription'], '@openrouter/sdk `$Outbound` types'),
  specified(['fireworks'], ['rerank'], 'docs.fireworks.ai/api-reference/rerank-documents'),
  specified(['siliconflow', 'siliconflow-cn'], ['rerank'], 'docs.siliconflow.com/en/api-reference/rerank'),
  specified(['novita'], ['rerank'], 'novita.ai/docs/api-reference/model-apis-llm-create-rerank'),
  reports(['alibaba', 'alibaba-cn', 'jina', 'vllm'], ['rerank'], 'litellm, docs.vllm.ai (examples with Cohere’s SDK)'),
  reports(['recraft'], ['images', 'edits'], 'litellm, ComfyUI recraft_api'),
  reports(['siliconflow', 'siliconflow-cn'], ['chat', 'images', 'edits'], 'new-api'),
  reports(['stability'], ['images', 'edits'], 'litellm, ComfyUI stability_api'),
  specified(['together'], ['transcription'], 'together-ai'),
  reports(['xai'], ['chat'], 'vercel/ai'),
  reports(['xai'], ['images', 'edits', 'videos'], '@ai-sdk/xai'),
  reports(['z-ai', 'zhipu-cn'], ['chat', 'images'], 'litellm, new-api (address and path)'),
]

function reports(providers: readonly VendorSlug[], capabilities: readonly Capability[], source: string): Evidence {
  return { providers, capabilities, kind: 'reports only', source }
}

function specified(providers: readonly VendorSlug[], capabilities: readonly Capability[], source: string): Evidence {
  return { providers, capabilities, kind: 'specification', source }
}
