import type { CanonicalCall, Sampling } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { writeText } from './write-block.ts'
import { writeExtras } from './write-extras.ts'
import { planThinking, type ThinkingPlan } from './write-thinking.ts'
import { writeTools } from './write-tools.ts'
import { writeTurns } from './write-turns.ts'

/** A canonical call as the body of a Messages request, all but the model, and the names of what had no place in it. */
export function writeBody(call: CanonicalCall): WrittenBody {
  const ignored = new Set<string>()
  const plan = planThinking(call, outputTokensDefault)
  const system = call.system.flatMap(writeText)
  const body: JsonObject = { max_tokens: plan.maxTokens }
  if (system.length > 0) body.system = system
  body.messages = writeTurns(call.turns, ignored)
  Object.assign(body, writeTools(call))
  if (plan.thinking !== null) body.thinking = plan.thinking
  if (plan.isRefused) ignored.add('reasoning')
  writeSampling(body, { sampling: call.sampling, plan, ignored })
  writeExtras(body, call, ignored)
  if (call.choiceCount > 1) ignored.add('n')
  body.stream = call.stream
  return { body, ignored: [...ignored] }
}

export interface WrittenBody {
  readonly body: JsonObject
  readonly ignored: readonly string[]
}

/** The output cap is mandatory here, so a call without one is given what such calls are held for. */
export const outputTokensDefault = 4_096

/** Callers may go on to two. */
export const temperatureMax = 1

/** While thinking, only a top-p of nearly one is accepted, and no other sampling at all. */
const topPWhileThinkingMin = 0.95

function writeSampling(
  body: JsonObject,
  { sampling, plan, ignored }: { sampling: Sampling; plan: ThinkingPlan; ignored: Set<string> },
): void {
  const { temperature, topP, topK, stop } = sampling
  if (temperature !== undefined) {
    // One is what it does anyway while it thinks.
    const sent = plan.isThinking ? 1 : Math.min(temperatureMax, Math.max(0, temperature))
    if (!plan.isThinking) body.temperature = sent
    if (temperature !== sent) ignored.add('temperature')
  }
  if (topP !== undefined) {
    if (!plan.isThinking || topP >= topPWhileThinkingMin) body.top_p = topP
    else ignored.add('top_p')
  }
  // Zero means no top-k sampling, which is expressed by its absence.
  if (topK !== undefined && topK !== 0) {
    if (plan.isThinking) ignored.add('top_k')
    else body.top_k = topK
  }
  if (stop !== undefined) writeStop(body, stop, ignored)
  for (const [key, name] of foreignSampling) if (sampling[key] !== undefined) ignored.add(name)
}

const foreignSampling = [
  ['minP', 'min_p'],
  ['topA', 'top_a'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['repetitionPenalty', 'repetition_penalty'],
  ['seed', 'seed'],
] as const satisfies readonly (readonly [keyof Sampling, string])[]

/** A sequence of nothing but white space would be refused, and the request with it. */
function writeStop(body: JsonObject, stop: readonly string[], ignored: Set<string>): void {
  const sequences = stop.filter((sequence) => sequence.trim() !== '')
  if (sequences.length > 0) body.stop_sequences = sequences
  if (sequences.length < stop.length) ignored.add('stop')
}
