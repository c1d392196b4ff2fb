import { essentialFields } from '#domain/inference/essential-fields.ts'

/**
 * The top-level field of a request that an upstream refuses to know, by its own words; undefined where it names none, or one without
 * which the request would be another.
 */
export function refusedFieldIn(words: string): string | undefined {
  for (const phrase of phrases) {
    const [field = ''] = phrase.exec(words)?.[1]?.split(/[.[]/) ?? []
    if (field !== '') return essentialFields.has(field) ? undefined : field
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
