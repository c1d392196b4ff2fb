import type { CanonicalCall, Sampling } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { claudeSampling } from '#providers/traits/claude-sampling.ts'
import type { ClaudeTraits } from '#providers/traits/claude-traits.ts'
import { writeText } from './write-block.ts'
import { writeExtras } from './write-extras.ts'
import { planThinking, type ThinkingPlan } from './write-thinking.ts'
import { writeTools } from './write-tools.ts'
import { writeTurns } from './write-turns.ts'

/** A canonical call as the body of a Messages request without the model, and the names of unsupported options. */
export function writeBody(asked: CanonicalCall, traits: ClaudeTraits): WrittenBody {
  const ignored = new Set<string>()
  const call = withoutForce(asked, traits, ignored)
  const plan = planThinking(call, traits, outputTokensDefault)
  const system = call.system.flatMap(writeText)
  const body: JsonObject = { max_tokens: plan.maxTokens }
  if (system.length > 0) body.system = system
  body.messages = writeTurns(call.turns, ignored)
  Object.assign(body, writeTools(call))
  if (plan.thinking !== null) body.thinking = plan.thinking
  if (plan.isRefused) ignored.add('reasoning')
  writeSampling(body, { sampling: call.sampling, traits, plan, ignored })
  writeExtras(body, call, ignored)
  if (plan.effort !== null) {
    body.output_config = { effort: plan.effort, ...(isJsonObject(body.output_config) ? body.output_config : {}) }
  }
  if (call.choiceCount > 1) ignored.add('n')
  body.stream = call.stream
  return { body, ignored: [...ignored] }
}

/** A model that rejects a forced tool may still choose one on its own. */
function withoutForce(call: CanonicalCall, { canBeForced }: ClaudeTraits, ignored: Set<string>): CanonicalCall {
  const { toolChoice } = call
  if (canBeForced || (toolChoice?.kind !== 'required' && toolChoice?.kind !== 'tool')) return call
  ignored.add('tool_choice')
  return { ...call, toolChoice: { kind: 'auto' } }
}

interface WrittenBody {
  readonly body: JsonObject
  readonly ignored: readonly string[]
}

/** The output cap is mandatory here, so a request without one gets the cap that its hold assumes. */
const outputTokensDefault = 4_096

function writeSampling(body: JsonObject, { sampling, traits, plan, ignored }: SamplingContext): void {
  const taken = claudeSampling(sampling, { traits, isThinking: plan.isThinking })
  if (taken.temperature !== undefined) body.temperature = taken.temperature
  if (taken.topP !== undefined) body.top_p = taken.topP
  if (taken.topK !== undefined) body.top_k = taken.topK
  for (const name of taken.ignored) ignored.add(name)
  if (sampling.stop !== undefined) writeStop(body, sampling.stop, ignored)
  for (const [key, name] of foreignSampling) if (sampling[key] !== undefined) ignored.add(name)
}

interface SamplingContext {
  sampling: Sampling
  traits: ClaudeTraits
  plan: ThinkingPlan
  ignored: Set<string>
}

const foreignSampling = [
  ['minP', 'min_p'],
  ['topA', 'top_a'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['repetitionPenalty', 'repetition_penalty'],
  ['seed', 'seed'],
] as const satisfies readonly (readonly [keyof Sampling, string])[]

/** A stop sequence of only whitespace would be rejected with the whole request. */
function writeStop(body: JsonObject, stop: readonly string[], ignored: Set<string>): void {
  const sequences = stop.filter((sequence) => sequence.trim() !== '')
  if (sequences.length > 0) body.stop_sequences = sequences
  if (sequences.length < stop.length) ignored.add('stop')
}
