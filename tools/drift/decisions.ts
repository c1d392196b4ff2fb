import type { Decision } from './find-drift.ts'

const openai = 'models of openai'
const anthropic = 'models of anthropic'
const google = 'models of google-ai-studio'
const events = 'responses events'

/**
 * Words of the SDKs that our tables lack, with the reason. `npm run drift` reports decisions that are no longer needed.
 */
export const decisions: readonly Decision[] = [
  {
    topic: openai,
    words: /^gpt-5\.6-(?:sol|terra|luna)$/,
    reason:
      'sources disagree on the price, which changed more than once; no official page was read. Disputed in the starter',
  },
  {
    topic: openai,
    words: /^gpt-6(?:\.1)?-(?:astra|sol|terra|luna)$/,
    reason: 'resellers alone state a price; no official page was read',
  },
  { topic: openai, words: /^gpt-5\.1-mini$/, reason: 'no source knows it' },
  {
    topic: openai,
    words: /^(?:gpt-3\.5-turbo|gpt-4$|gpt-4-|gpt-4\.1-nano|gpt-4o-2024-05-13$|o1|o3-mini|o4-mini(?:-2025-04-16)?$)/,
    reason: 'shut down in 2026 or before; Azure keeps some',
  },
  {
    topic: openai,
    words: /^(?:chatgpt-4o-latest|codex-mini-latest|gpt-4o-(?:mini-)?audio-preview.*)$/,
    reason: "shut down, or known from one secondary source that the provider's page does not confirm",
  },
  { topic: openai, words: /^computer-use-preview/, reason: 'for a tool that the provider runs, which is not sold' },
  {
    topic: openai,
    words: /^gpt-(?:daybreak|rosalind|6-rosalind|5\.6-cyber|6-cyber)/,
    reason: 'for approved customers; no public price',
  },
  { topic: anthropic, words: /^claude-mythos/, reason: 'limited availability: operators with access can import it' },
  { topic: anthropic, words: /^claude-fable-5-2$/, reason: 'no page with its price was found' },
  {
    topic: anthropic,
    words: /^claude-haiku-5-5$/,
    reason: 'dearer above 100,000 tokens; the prices of that tier for the cache were not read on an official page',
  },
  { topic: google, words: /^gemma-/, reason: 'free at this provider; others sell it' },
  {
    topic: google,
    words: /^gemini-(?:flash|pro)-latest$/,
    reason: 'an alias whose target has no price in the starter, or that one source knows',
  },
  { topic: google, words: /^gemini-2\.5-flash-image$/, reason: 'shut down on 2026-10-02' },
  {
    topic: google,
    words: /^gemini-3\.(?:6|7|8)-flash$/,
    reason: 'sources disagree on the price, or a reseller alone states one; no official page was read',
  },
  {
    topic: google,
    words: /^(?:gemini-3\.1-flash(?:-lite)?-image|gemini-nano-banana-2\.1|nano-banana-pro-preview)$/,
    reason: 'sources disagree on the price of its images, or state none',
  },
  { topic: google, words: /^gemini-4-/, reason: 'no source states a price' },
  { topic: google, words: /-tts(?:-preview)?$/, reason: 'no source states a price of its sound' },
  {
    topic: google,
    words: /^gemini-3\.5-transcribe$/,
    reason: 'a reseller alone states a price; the official page of prices was not read',
  },
  { topic: google, words: /^gemini-robotics-/, reason: 'known from one secondary source' },
  { topic: google, words: /^lyria-/, reason: 'makes music, for which there is no endpoint' },
  {
    topic: google,
    words: /^gemini-omni-/,
    reason: 'sources state no price for each resolution; operators can import it with their own price',
  },
  {
    topic: 'responses usage',
    words: /^output_tokens_details\.image_tokens$/,
    reason: 'of the image tool, which the gateway never sends; an answer with it is reported as unknown',
  },
  {
    topic: events,
    words: /^response\.(?:code_interpreter_call|file_search_call|image_generation_call|mcp_|web_search_call)/,
    reason: 'of tools that the provider runs; the gateway never sends them, so an answer with one is reported',
  },
  { topic: events, words: /^response\.shell_call_/, reason: 'of the hosted shell, which the gateway never sends' },
  {
    topic: events,
    words: /^response\.audio\./,
    reason: 'of speech models, which the gateway does not call through Responses',
  },
  {
    topic: events,
    words: /^response\.compaction\./,
    reason: 'of compaction, which has no price and which the gateway never requests',
  },
  { topic: events, words: /^response\.steer/, reason: 'of the WebSocket API, which the gateway does not use' },
]
