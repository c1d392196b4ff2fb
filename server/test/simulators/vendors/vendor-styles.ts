import { azure } from './azure.ts'
import { cerebras } from './cerebras.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { fireworks } from './fireworks.ts'
import { generic } from './generic.ts'
import { groq } from './groq.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { together } from './together.ts'
import type { VendorName, VendorStyle } from './vendor-style.ts'
import { vllm } from './vllm.ts'
import { xai } from './xai.ts'

export const vendorStyles: Record<VendorName, VendorStyle> = {
  openai,
  azure,
  deepseek,
  xai,
  groq,
  mistral,
  dashscope,
  moonshot,
  perplexity,
  together,
  cerebras,
  vllm,
  openrouter,
  fireworks,
  generic,
}
