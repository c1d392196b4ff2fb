/**
 * The top-level field of a request that an upstream refuses to know, by its own words; undefined where it names none, or one without
 * which the request would be another.
 */
export function refusedFieldIn(words: string): string | undefined {
  for (const phrase of phrases) {
    const [field = ''] = phrase.exec(words)?.[1]?.split(/[.[]/) ?? []
    if (field !== '') return essential.has(field) ? undefined : field
  }
  return undefined
}

/** How hosts put it: OpenAI and its likes, Groq and Cerebras, Fireworks and Mistral, Anthropic, Bedrock, Gemini, SiliconFlow. */
const phrases: readonly RegExp[] = [
  /unknown parameter:? ['"`]?([\w.[\]]+)/i,
  /unrecognized request arguments? supplied: (\w+)/i,
  /unsupported (?:parameter|value): ['"`]?([\w.]+)/i,
  /property ['"`]([\w.[\]]+)['"`] is unsupported/i,
  /extra inputs are not permitted, field: ['"`]?([\w.]+)/i,
  /\b([\w.]+): extra inputs are not permitted/i,
  /not support (?:the )?parameter:? ['"`]?([\w.]+)/i,
  /unknown name ['"]([\w.]+)['"]/i,
  /['"`]?\b(temperature|top_p|top_k)['"`]? is deprecated for this model/i,
  /['"`](thinking)\.[\w.]+['"`] is not supported/i,
]

const essential: ReadonlySet<string> = new Set([
  'contents',
  'input',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'model',
  'prompt',
  'stream',
  // Without it a stream says no usage, and could not be charged for.
  'stream_options',
  'system',
  'tools',
])
