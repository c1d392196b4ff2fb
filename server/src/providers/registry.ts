import { alibabaCn } from './alibaba-cn/index.ts'
import { alibaba } from './alibaba/index.ts'
import { amazonBedrock } from './amazon-bedrock/index.ts'
import { anthropic } from './anthropic/index.ts'
import { assemblyai } from './assemblyai/index.ts'
import { azure } from './azure/index.ts'
import { baseten } from './baseten/index.ts'
import { blackForestLabs } from './black-forest-labs/index.ts'
import { byteplus } from './byteplus/index.ts'
import { cartesia } from './cartesia/index.ts'
import { cerebras } from './cerebras/index.ts'
import { chutes } from './chutes/index.ts'
import { cloudflare } from './cloudflare/index.ts'
import { cohere } from './cohere/index.ts'
import { deepgram } from './deepgram/index.ts'
import { deepinfra } from './deepinfra/index.ts'
import { deepseek } from './deepseek/index.ts'
import { elevenlabs } from './elevenlabs/index.ts'
import { fal } from './fal/index.ts'
import { fireworks } from './fireworks/index.ts'
import { friendli } from './friendli/index.ts'
import { googleAiStudio } from './google-ai-studio/index.ts'
import { googleVertex } from './google-vertex/index.ts'
import { groq } from './groq/index.ts'
import { huggingface } from './huggingface/index.ts'
import { hyperbolic } from './hyperbolic/index.ts'
import { jina } from './jina/index.ts'
import { kling } from './kling/index.ts'
import { llamaCpp } from './llama-cpp/index.ts'
import { luma } from './luma/index.ts'
import { minimaxCn } from './minimax-cn/index.ts'
import { minimax } from './minimax/index.ts'
import { mistral } from './mistral/index.ts'
import { moonshotaiCn } from './moonshotai-cn/index.ts'
import { moonshotai } from './moonshotai/index.ts'
import { nebius } from './nebius/index.ts'
import { novita } from './novita/index.ts'
import { nvidia } from './nvidia/index.ts'
import { ollama } from './ollama/index.ts'
import { openai } from './openai/index.ts'
import { openrouter } from './openrouter/index.ts'
import { perplexity } from './perplexity/index.ts'
import { recraft } from './recraft/index.ts'
import { replicate } from './replicate/index.ts'
import { runway } from './runway/index.ts'
import { sambanova } from './sambanova/index.ts'
import { scaleway } from './scaleway/index.ts'
import { siliconflowCn } from './siliconflow-cn/index.ts'
import { siliconflow } from './siliconflow/index.ts'
import { stability } from './stability/index.ts'
import { together } from './together/index.ts'
import { upstage } from './upstage/index.ts'
import { venice } from './venice/index.ts'
import { vllm } from './vllm/index.ts'
import { volcengine } from './volcengine/index.ts'
import { voyage } from './voyage/index.ts'
import { wandb } from './wandb/index.ts'
import { xai } from './xai/index.ts'
import { zAi } from './z-ai/index.ts'
import { zhipuCn } from './zhipu-cn/index.ts'
import type { OpenAiVendor, VendorSpec } from './spec.ts'

/** Every vendor by its slug, which is also its folder's name and the provider slug of the catalogue. */
export const vendors = {
  alibaba,
  'alibaba-cn': alibabaCn,
  'amazon-bedrock': amazonBedrock,
  anthropic,
  assemblyai,
  azure,
  baseten,
  'black-forest-labs': blackForestLabs,
  byteplus,
  cartesia,
  cerebras,
  chutes,
  cloudflare,
  cohere,
  deepgram,
  deepinfra,
  deepseek,
  elevenlabs,
  fal,
  fireworks,
  friendli,
  'google-ai-studio': googleAiStudio,
  'google-vertex': googleVertex,
  groq,
  huggingface,
  hyperbolic,
  jina,
  kling,
  'llama-cpp': llamaCpp,
  luma,
  minimax,
  'minimax-cn': minimaxCn,
  mistral,
  moonshotai,
  'moonshotai-cn': moonshotaiCn,
  nebius,
  novita,
  nvidia,
  ollama,
  openai,
  openrouter,
  perplexity,
  recraft,
  replicate,
  runway,
  sambanova,
  scaleway,
  siliconflow,
  'siliconflow-cn': siliconflowCn,
  stability,
  together,
  upstage,
  venice,
  vllm,
  volcengine,
  voyage,
  wandb,
  xai,
  'z-ai': zAi,
  'zhipu-cn': zhipuCn,
} as const satisfies Record<string, VendorSpec>

export type VendorSlug = keyof typeof vendors

/** Those that speak chat completions. */
export const openAiVendors: readonly OpenAiVendor[] = Object.values(vendors).filter(
  (vendor) => vendor.protocol === 'openai',
)

export type OpenAiVendorSlug = {
  [Slug in VendorSlug]: (typeof vendors)[Slug] extends OpenAiVendor ? Slug : never
}[VendorSlug]

export function findVendor(slug: string): VendorSpec | undefined {
  return bySlug.get(slug)
}

const bySlug: ReadonlyMap<string, VendorSpec> = new Map(Object.entries(vendors))
