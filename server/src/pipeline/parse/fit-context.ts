import { chooseTrim } from '#dialects/choose-trim.ts'
import type { ConversationDialect, DialectCall, Trim } from '#dialects/dialect.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { isTrimmed, parseTrimming, promptRoom } from '#domain/inference/transforms.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { estimateError } from '#lib/estimate-tokens.ts'

/**
 * The trim that makes the prompt fit a model, or null if it fits as it is. Rejects a prompt that is certainly too long.
 */
type FitContext = (model: Model) => Trim | null

/**
 * Trimming measures the prompt several times, so a list of fallback models is trimmed to at most this many context
 * sizes.
 */
const roomsMax = 4

/** For one request. Models with the same room share the result. */
export function fitContextOf(call: DialectCall, dialect: ConversationDialect): FitContext {
  const trimming = parseTrimming(call.body)
  const tokens = call.promptTokensEstimate
  let chosen: Map<number, Trim | null> | null = null
  return (model) => {
    const { contextLength } = model
    if (contextLength === null) return null
    // The count is an estimate: a prompt that may still fit is left to the upstream to judge.
    const mayFit = tokens <= contextLength * (1 + estimateError())
    if (!isTrimmed(trimming, contextLength)) {
      if (mayFit) return null
      const remedy =
        trimming === 'never'
          ? ''
          : ' Shorten it, or set `"transforms": ["middle-out"]` to drop messages from the middle.'
      throw tooLong(tokens, model, remedy)
    }
    const room = promptRoom(contextLength, call.maxTokens)
    if (tokens <= room) return null
    chosen ??= new Map()
    if (!chosen.has(room) && chosen.size < roomsMax) chosen.set(room, chooseTrim(dialect, call, room))
    const trim = chosen.get(room) ?? null
    if (trim === null && !mayFit) throw tooLong(tokens, model, ' Even its first and last messages alone do not fit.')
    return trim
  }
}

function tooLong(tokens: number, model: Model, remedy: string): GatewayError {
  return new GatewayError('contextTooLong', {
    message: `The prompt has about ${tokens} tokens, but the context length of "${model.id}" is ${model.contextLength}.${remedy}`,
  })
}
