import { alibaba, alibabaCn } from './vendors/alibaba/index.ts'
import { amazonBedrock } from './vendors/amazon-bedrock/index.ts'
import { anthropic } from './vendors/anthropic/index.ts'
import { assemblyai } from './vendors/assemblyai/index.ts'
import { azure } from './vendors/azure/index.ts'
import { baseten } from './vendors/baseten/index.ts'
import { blackForestLabs } from './vendors/black-forest-labs/index.ts'
import { byteplus, volcengine } from './vendors/bytedance/index.ts'
import { cartesia } from './vendors/cartesia/index.ts'
import { cerebras } from './vendors/cerebras/index.ts'
import { chutes } from './vendors/chutes/index.ts'
import { cloudflare } from './vendors/cloudflare/index.ts'
import { cohere } from './vendors/cohere/index.ts'
import { deepgram } from './vendors/deepgram/index.ts'
import { deepinfra } from './vendors/deepinfra/index.ts'
import { deepseek } from './vendors/deepseek/index.ts'
import { elevenlabs } from './vendors/elevenlabs/index.ts'
import { fal } from './vendors/fal/index.ts'
import { fireworks } from './vendors/fireworks/index.ts'
import { friendli } from './vendors/friendli/index.ts'
import { googleAiStudio, googleVertex } from './vendors/google/index.ts'
import { groq } from './vendors/groq/index.ts'
import { huggingface } from './vendors/huggingface/index.ts'
import { hyperbolic } from './vendors/hyperbolic/index.ts'
import { jina } from './vendors/jina/index.ts'
import { kling } from './vendors/kling/index.ts'
import { llamaCpp } from './vendors/llama-cpp/index.ts'
import { luma } from './vendors/luma/index.ts'
import { minimax, minimaxCn } from './vendors/minimax/index.ts'
import { mistral } from './vendors/mistral/index.ts'
import { moonshotai, moonshotaiCn } from './vendors/moonshotai/index.ts'
import { nebius } from './vendors/nebius/index.ts'
import { novita } from './vendors/novita/index.ts'
import { nvidia } from './vendors/nvidia/index.ts'
import { ollama } from './vendors/ollama/index.ts'
import { openai } from './vendors/openai/index.ts'
import { openrouter } from './vendors/openrouter/index.ts'
import { perplexity } from './vendors/perplexity/index.ts'
import { recraft } from './vendors/recraft/index.ts'
import { replicate } from './vendors/replicate/index.ts'
import { runway } from './vendors/runway/index.ts'
import { sambanova } from './vendors/sambanova/index.ts'
import { scaleway } from './vendors/scaleway/index.ts'
import { siliconflow, siliconflowCn } from './vendors/siliconflow/index.ts'
import { stability } from './vendors/stability/index.ts'
import { together } from './vendors/together/index.ts'
import { upstage } from './vendors/upstage/index.ts'
import { venice } from './vendors/venice/index.ts'
import { vllm } from './vendors/vllm/index.ts'
import { voyage } from './vendors/voyage/index.ts'
import { wandb } from './vendors/wandb/index.ts'
import { xai } from './vendors/xai/index.ts'
import { zAi, zhipuCn } from './vendors/zhipu/index.ts'
import type { OpenAiVendor, VendorSpec } from './spec.ts'

/** Every vendor by its slug, which is also the provider slug of the catalogue. */
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

/** Vendors that speak chat completions. */
export const openAiVendors: readonly OpenAiVendor[] = Object.values(vendors).filter(
  (vendor) => vendor.protocol === 'openai',
)

export type OpenAiVendorSlug = {
  [Slug in VendorSlug]: (typeof vendors)[Slug] extends OpenAiVendor ? Slug : never
}[VendorSlug]

export function findVendor(slug: string): VendorSpec | undefined {
  return bySlug.get(slug)
}

/** Whether a vendor supports plugins, such as web search. */
export function acceptsPlugins(slug: string): boolean {
  const vendor = findVendor(slug)
  return vendor?.protocol === 'openai' && vendor.openai.acceptsPlugins === true
}

/** A vendor that does not say whether it keeps prompts is assumed to keep them. */
export function keepsPrompts(slug: string): boolean {
  return findVendor(slug)?.keepsPrompts ?? true
}

const bySlug: ReadonlyMap<string, VendorSpec> = new Map(Object.entries(vendors))
