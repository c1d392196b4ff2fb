/**
 * The field that an upstream's message rejects as unknown; undefined if it names none. Any position in the message
 * counts, because the operator's check sends no client's text.
 */
export function namedFieldIn(words: string): string | undefined {
  for (const phrase of phrases) {
    const [field = ''] = phrase.exec(words)?.[1]?.split(/[.[]/) ?? []
    if (field !== '') return field
  }
  return undefined
}

/**
 * The wordings of OpenAI and compatible providers, Groq and Cerebras, Fireworks and Mistral, Anthropic, Bedrock,
 * Gemini, SiliconFlow.
 */
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
