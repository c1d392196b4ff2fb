import type { JsonObject } from '#lib/json.ts'
import type { OpenAiTarget } from '../openai-target.ts'
import { thinkingFields } from './thinking-fields.ts'

/**
 * The only default that the gateway adds: Qwen 3 thinks by default, at twice the price, so clients that do not mention
 * thinking get none. Models that cannot switch thinking get no default, because upstreams reject the field for them.
 */
export function thinkingDefault(
  body: JsonObject,
  { vendor, upstreamModel, model = '' }: Pick<OpenAiTarget, 'vendor' | 'upstreamModel' | 'model'>,
): JsonObject {
  const names = [upstreamModel, model]
  if (!names.some((name) => qwen3.test(name)) || names.some((name) => withoutChoice.test(name))) return {}
  const isSaid = thinkingFields.some((name) => body[name] !== undefined && body[name] !== null)
  return isSaid ? {} : (vendor.openai.qwenAtRest ?? { enable_thinking: false })
}

/** Whether a Qwen 3 model of this name always thinks, or never does. */
export function hasNoChoice(name: string): boolean {
  return qwen3.test(name) && withoutChoice.test(name)
}

const qwen3 = /(?:^|\/)qwen3-/i
const withoutChoice = /thinking|coder|instruct|next|omni/i
