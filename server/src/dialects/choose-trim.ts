import { leaveOutMiddle } from '#domain/inference/middle-out.ts'
import { type PromptSize, sizeOf } from '#domain/inference/prompt-matter.ts'
import { bytesIn } from '#lib/estimate-tokens.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ConversationDialect, DialectCall, Trim } from './dialect.ts'
import type { PromptAccess } from './prompt-access.ts'

/** Drops messages from the middle until the prompt fits. Returns null if the ends alone are too long. */
export function chooseTrim({ prompt }: ConversationDialect, call: DialectCall, roomTokens: number): Trim | null {
  const items = prompt.items(call.body)
  const sized = sizedItems(prompt, call)
  const goal = roomTokens * (1 - spareShare)
  let excess = call.promptTokensEstimate - goal
  for (let round = 0; round < roundsMax; round += 1) {
    // The last round drops everything that may be dropped, because the earlier rounds used averages.
    const keeps = leaveOutMiddle(sized, round === roundsMax - 1 ? Number.POSITIVE_INFINITY : excess)
    const size = sizeOf(prompt.measure(withKept(prompt, call.body, keeps)))
    if (size.promptTokensEstimate <= roomTokens) return { ...size, keeps }
    if (keeps.filter(Boolean).length <= endsMin || items.length <= endsMin) return null
    excess += size.promptTokensEstimate - goal
  }
  return null
}

/** The request as it is sent to a model: without the messages that do not fit its context. */
export function callFor(
  call: DialectCall,
  { prompt }: Pick<ConversationDialect, 'prompt'>,
  modelId: string,
): DialectCall {
  const trim = call.trims?.get(modelId)
  if (trim === undefined) return call
  const { keeps, ...size } = trim
  const {
    promptTokensMax: _max,
    promptTokensBeyond: _beyond,
    promptImages: _images,
    mayExpand: _expands,
    fillsContext: _fills,
    ...rest
  } = call
  return { ...rest, body: withKept(prompt, call.body, keeps), ...size }
}

/** The prompt size for a model. */
export function promptSizeFor(call: DialectCall, modelId: string): PromptSize {
  return call.trims?.get(modelId) ?? call
}

/** Estimates use our own tokenizer, and the model's may need more tokens; the output needs room too. */
const spareShare = 0.1
/** Each round measures the prompt again, which takes up to 5 ms. */
const roundsMax = 3
const endsMin = 2

function withKept(prompt: PromptAccess, body: JsonObject, keeps: readonly boolean[]): JsonObject {
  const kept = prompt.items(body).filter((_, index) => keeps[index] !== false)
  return prompt.withItems(body, kept)
}

/** Each message is sized by its share of the bytes, because counting each one would take too long. */
function sizedItems(prompt: PromptAccess, call: DialectCall) {
  const whole = prompt.measure(call.body)
  const tokensPerByte = (call.promptTokensEstimate - whole.tokens) / Math.max(1, bytesIn(whole.texts))
  return prompt.items(call.body).map((item) => {
    const matter = prompt.measureItem(item)
    return { ...prompt.bindings(item), tokens: matter.tokens + bytesIn(matter.texts) * tokensPerByte }
  })
}
