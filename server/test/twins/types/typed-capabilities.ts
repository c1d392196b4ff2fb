import type { VendorSlug } from '#providers/registry.ts'
import type { Capability } from '../twin.ts'

/** The coverage of the type twins; a run fails if it differs. `docs/providers.md` is generated from it. */
export const typedCapabilities: Readonly<Partial<Record<VendorSlug, Readonly<Partial<Record<Capability, string>>>>>> = {
  'amazon-bedrock': { chat: '@aws-sdk/client-bedrock-runtime' },
  anthropic: { chat: '@anthropic-ai/sdk' },
  assemblyai: { transcription: 'assemblyai' },
  azure: { chat: 'openai', responses: 'openai' },
  cartesia: { speech: '@cartesia/cartesia-js' },
  cerebras: { chat: '@cerebras/cerebras_cloud_sdk' },
  fal: { images: '@fal-ai/client', edits: '@fal-ai/client', videos: '@fal-ai/client' },
  'google-ai-studio': { speech: '@google/genai' },
  'google-vertex': { speech: '@google/genai' },
  groq: { chat: 'groq-sdk', speech: 'groq-sdk' },
  luma: { videos: 'lumaai' },
  mistral: { chat: '@mistralai/mistralai', speech: '@mistralai/mistralai' },
  openai: {
    chat: 'openai',
    responses: 'openai',
    embeddings: 'openai',
    images: 'openai',
    speech: 'openai',
    videos: 'openai',
  },
  openrouter: { chat: '@openrouter/sdk' },
  perplexity: { chat: '@perplexity-ai/perplexity_ai' },
  runway: { videos: '@runwayml/sdk' },
  sambanova: { chat: 'sambanova' },
  together: {
    chat: 'together-ai',
    embeddings: 'together-ai',
    images: 'together-ai',
    edits: 'together-ai',
    speech: 'together-ai',
  },
  xai: { responses: 'openai' },
}
