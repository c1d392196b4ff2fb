/** The top-level request field that an upstream rejects as unknown. */
export interface RefusedField {
  readonly name: string
  /**
   * `member`: a member of the error names the field. `sentence`: only its message names the field, and it may quote a
   * client.
   */
  readonly source: 'member' | 'sentence'
}

interface RefusalWords {
  readonly message: string
  /** Codes and types, in lower case. */
  readonly words: readonly string[]
  /** The path of the rejected field. */
  readonly param: string | undefined
}

/**
 * Finds the field that a rejection names: in a member with a code, or in a message that begins with such a sentence.
 */
export function refusedFieldOf({ message, words, param }: RefusalWords): RefusedField | undefined {
  const named = param === undefined ? undefined : headOf(param)
  if (named !== undefined && words.some((word) => codes.has(word))) return { name: named, source: 'member' }
  for (const sentence of sentences) {
    const name = headOf(sentence.exec(message)?.[1] ?? '')
    if (name === undefined) continue
    return param === undefined || named === name ? { name, source: 'sentence' } : undefined
  }
  return undefined
}

const codes: ReadonlySet<string> = new Set(['unknown_parameter', 'unsupported_parameter', 'extra_forbidden'])

/** The wordings of OpenAI and compatible providers, Groq and Cerebras, Fireworks, Anthropic, SiliconFlow. */
const sentences: readonly RegExp[] = [
  /^Unknown parameter:? ['"`]([\w.]+)['"`]\.?$/i,
  /^Unrecognized request argument supplied: ([\w.]+)$/i,
  /^Unsupported parameter:? ['"`]([\w.]+)['"`] is not supported with this model\.?$/i,
  /^property ['"`]([\w.]+)['"`] is unsupported\.?$/i,
  /^Extra inputs are not permitted, field: ['"`]([\w.]+)['"`], value: /i,
  /^([\w.]+): Extra inputs are not permitted\.?$/i,
  /^Value error, current model does not support parameter:? ['"`]?(\w+)['"`]?\.?$/i,
  /^['"`](thinking)\.[\w.]+['"`] is not supported for this model\b/i,
]

/** A path into an array concerns a value that the client sent. */
function headOf(path: string): string | undefined {
  return /^([a-z]\w{0,99})(?:\.[a-z]\w{0,99}){0,3}$/i.exec(path)?.[1]
}
