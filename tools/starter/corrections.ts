/** Names in the facts that differ from the provider's own names. */
interface Correction {
  readonly provider: string
  /** Corrects every name that it matches. */
  readonly upstreamModel: RegExp
  /** The provider's name, or null if it does not serve the model. */
  readonly becomes: string | null
  readonly reason: string
}

const corrections: readonly Correction[] = [
  {
    provider: 'fal',
    upstreamModel: /^fal-ai\/seedream-v4$/,
    becomes: 'fal-ai/bytedance/seedream/v4/text-to-image',
    reason: "the endpoint's name in the provider's own table",
  },
  {
    provider: 'fal',
    upstreamModel: /^fal-ai\/recraft-v3$/,
    becomes: 'fal-ai/recraft/v3/text-to-image',
    reason: "the endpoint's name in the provider's own table",
  },
  {
    provider: 'fal',
    upstreamModel: /gpt-image-2/,
    becomes: null,
    reason: "not in the provider's own table",
  },
  {
    provider: 'fireworks',
    upstreamModel: /^(?:accounts\/fireworks\/models\/)?fireworks-asr-/,
    becomes: null,
    reason: 'spoken to by WebSocket alone',
  },
  { provider: 'perplexity', upstreamModel: /^(?!sonar)/, becomes: null, reason: 'serves its own models alone' },
  { provider: 'runway', upstreamModel: /^gen3a_turbo$/, becomes: null, reason: "gone from the provider's SDK" },
  { provider: 'runway', upstreamModel: /^gen4_aleph$/, becomes: null, reason: "gone from the provider's SDK" },
  {
    provider: 'google-ai-studio',
    upstreamModel: /^veo-/,
    becomes: null,
    reason: 'shut down: veo-2.0 and veo-3.0 on 2026-06-30, the previews of veo-3.1 on 2026-10-22',
  },
  {
    provider: 'google-vertex',
    upstreamModel: /^veo-.+-preview$/,
    becomes: null,
    reason: 'a preview that the stable name has replaced',
  },
  // The dates are those of Google AI Studio. Vertex has its own dates, which were not read, so the models are not sold
  // there either.
  ...['google-ai-studio', 'google-vertex'].flatMap((provider) => [
    {
      provider,
      upstreamModel: /^gemini-2\.5-flash-preview-09-2025$/,
      becomes: null,
      reason: 'shut down on 2026-02-17, as the page of deprecations says',
    },
    {
      provider,
      upstreamModel: /^gemini-2\.5-flash-image$/,
      becomes: null,
      reason: 'shut down on 2026-10-02, as the page of deprecations says',
    },
  ]),
  // Bedrock and Vertex keep Opus 4.1. Microsoft Foundry follows Anthropic's dates.
  ...['anthropic', 'azure'].map((provider) => ({
    provider,
    upstreamModel: /^claude-opus-4-1/,
    becomes: null,
    reason: "retired, as the provider's page of prices says; the facts have 2026-08-05",
  })),
  {
    provider: 'google-vertex',
    upstreamModel: /^claude-3-5-haiku/,
    becomes: null,
    reason: 'reported as retired; the page of the provider was not read',
  },
  { provider: 'openai', upstreamModel: /^sora-/, becomes: null, reason: 'shut down on 2026-09-24' },
  { provider: 'azure', upstreamModel: /^sora-/, becomes: null, reason: 'shut down on 2026-09-24' },
  { provider: 'openai', upstreamModel: /^dall-e-/, becomes: null, reason: 'shut down on 2026-05-12' },
  {
    provider: 'openai',
    upstreamModel: /^(?:chatgpt-4o-latest|gpt-4-turbo-preview|gpt-3\.5-turbo-16k)$/,
    becomes: null,
    reason: "shut down, as the provider's page of deprecations says",
  },
  { provider: 'openai', upstreamModel: /^gpt-realtime-/, becomes: null, reason: 'spoken to by WebSocket alone' },
  { provider: 'azure', upstreamModel: /^gpt-realtime-/, becomes: null, reason: 'spoken to by WebSocket alone' },
  { provider: 'azure', upstreamModel: /^speech\//, becomes: null, reason: "of Azure's Speech service, another API" },
  { provider: 'google-vertex', upstreamModel: /^chirp/, becomes: null, reason: 'of Cloud Text-to-Speech, another API' },
  {
    provider: 'google-vertex',
    upstreamModel: /^multimodalembedding/,
    becomes: null,
    reason: 'takes instances in a form of its own, which the codec does not write',
  },
  {
    provider: 'google-vertex',
    upstreamModel: /^text-embedding-(?:004|large-exp-03-07|preview-0409)$/,
    becomes: null,
    reason: 'replaced by gemini-embedding-001 and text-embedding-005',
  },
]

/** The provider's name for the model, or null if it serves no model of that name. */
export function correctName(provider: string, upstreamModel: string): string | null {
  const known = corrections.find((each) => each.provider === provider && each.upstreamModel.test(upstreamModel))
  return known === undefined ? upstreamModel : known.becomes
}
