import { addText, collectMatter, sizeOf, tokensPerMessage } from '#domain/inference/prompt-matter.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { checkFields } from '../chat/chat-fields.ts'
import { outputCap } from '../chat/parse-chat.ts'
import type { DialectCall } from '../dialect.ts'
import { missingField, readModelName } from '../media-fields.ts'
import type { PromptAccess } from '../prompt-access.ts'
import { unbound } from '../prompt-access.ts'

/** The most completions of one request: prompts times `n`. */
export const completionsMax = 128

/** OpenAI's default. Without it, a chat model would answer a short prompt at any length. */
const usualTokensMax = 16

/** Rejects requests that no upstream could serve. */
export function parseCompletions(body: JsonObject, tokensMax = usualTokensMax): DialectCall {
  const modelName = readModelName(body)
  const prompts = promptsOf(body.prompt)
  const stream = flagOf(body, 'stream')
  const maxTokens = outputCap(body) ?? tokensMax
  checkFields(body)
  const count = typeof body.n === 'number' ? body.n : 1
  const choiceCount = prompts.length * count
  if (choiceCount > completionsMax) {
    throw malformed(`This request asks for ${choiceCount} completions; the limit is ${completionsMax}.`)
  }
  refuseHiddenOutput(body, count)
  const logprobs = logprobsOf(body)
  suffixOf(body)
  if (flagOf(body, 'echo') && logprobs !== null) {
    throw new GatewayError('unsupportedParam', { message: '`echo` is not supported together with `logprobs`.' })
  }
  return {
    modelName,
    stream,
    maxTokens,
    choiceCount,
    hasTools: false,
    ...sizeOf(completionsPrompt.measure(body)),
    body,
  }
}

/** Prompts are no conversation, so none of them can be left out. */
export const completionsPrompt: PromptAccess = {
  measure: ({ prompt, suffix }) =>
    collectMatter((matter) => {
      for (const text of Array.isArray(prompt) ? prompt : [prompt]) {
        matter.tokens += tokensPerMessage
        addText(matter, text)
      }
      addText(matter, suffix)
    }),
  items: () => [],
  withItems: (body) => body,
  measureItem: (item) => collectMatter((matter) => addText(matter, item)),
  bindings: () => unbound,
}

/** The prompts of a request, each of which is completed `n` times. */
export function promptsOf(prompt: JsonValue | undefined): readonly string[] {
  if (prompt === undefined || prompt === null) throw missingField('prompt')
  if (typeof prompt === 'string') return [prompt]
  if (!Array.isArray(prompt) || prompt.length === 0) {
    throw malformed('`prompt` must be a string or an array of strings.')
  }
  return prompt.map((text) => {
    if (typeof text === 'string') return text
    throw malformed('`prompt` must contain only strings. Token ids are not supported: send their text.')
  })
}

export function suffixOf({ suffix }: JsonObject): string | null {
  if (suffix === undefined || suffix === null || suffix === '') return null
  if (typeof suffix === 'string') return suffix
  throw malformed('`suffix` must be a string.')
}

/** The number of likely tokens to list with each token; null for no log probabilities. */
export function logprobsOf({ logprobs }: JsonObject): number | null {
  if (logprobs === undefined || logprobs === null || logprobs === false) return null
  if (typeof logprobs === 'number' && Number.isInteger(logprobs) && logprobs >= 0 && logprobs <= 20) return logprobs
  throw malformed('`logprobs` must be an integer from 0 to 20.')
}

export function flagOf(body: JsonObject, field: 'stream' | 'echo'): boolean {
  const value = body[field]
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  throw malformed(`\`${field}\` must be true or false.`)
}

/** Completions that are generated, charged and not shown. */
function refuseHiddenOutput({ best_of: best }: JsonObject, count: number): void {
  if (best === undefined || best === null || best === count) return
  throw new GatewayError('unsupportedParam', { message: '`best_of` is not supported. Remove it, or use `n`.' })
}
