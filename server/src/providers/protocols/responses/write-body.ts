import type { CanonicalCall, ResponseFormat } from '#domain/inference/call.ts'
import { samplingFields } from '#domain/inference/sampling-fields.ts'
import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import type { ResponsesTarget } from './responses-host.ts'
import { alwaysSaid } from './always-said.ts'
import { responsesFeatures } from './features.ts'
import { takesField } from './takes-field.ts'
import { writeInput } from './write-input.ts'
import { writeReasoning } from './write-reasoning.ts'
import { writeTools } from './write-tools.ts'

/** A canonical call as a Responses body, and the names of options that this upstream does not support. */
export function writeBody(call: CanonicalCall, target: ResponsesTarget): { body: JsonObject; ignored: string[] } {
  const { system, maxTokens, endUser } = call
  const ignored = new Set<string>(call.choiceCount > 1 ? ['n'] : [])
  const said = alwaysSaid({ stream: call.stream, maxTokens }, target)
  if (said.isCapRaised) ignored.add('max_tokens')
  const body: JsonObject = {
    model: target.upstreamModel,
    ...(system.length === 0 ? {} : { instructions: system.map(({ text }) => text).join('\n\n') }),
    input: writeInput(call.turns, target.vendor.responses.thoughts, ignored),
    ...writeTools(call),
    ...writeText(call, target, ignored),
    ...writeReasoning(call.reasoning, target),
    ...writeSampling(call, target, ignored),
    ...(endUser === null ? {} : { user: endUser }),
    ...writeExtras(call.extras, target, ignored),
    ...said.fields,
  }
  return { body, ignored: [...ignored] }
}

/** The output format and its verbosity. */
function writeText(
  { responseFormat, extras }: CanonicalCall,
  { vendor }: ResponsesTarget,
  ignored: Set<string>,
): JsonObject {
  const wordy = stringAt(extras, 'verbosity')
  const verbosity = vendor.responses.takes.has('text.verbosity') ? wordy : undefined
  if (wordy !== verbosity) ignored.add('verbosity')
  const text = {
    ...(responseFormat === null ? {} : { format: formatJson(responseFormat) }),
    ...(verbosity === undefined ? {} : { verbosity }),
  }
  return Object.keys(text).length === 0 ? {} : { text }
}

function formatJson(format: ResponseFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, description, strict, schema } = format
  return {
    type: 'json_schema',
    name,
    ...(description === undefined ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
    schema,
  }
}

function writeSampling(
  { sampling, reasoning }: CanonicalCall,
  target: ResponsesTarget,
  ignored: Set<string>,
): JsonObject {
  const fields: JsonObject = {}
  const { stop, ...numbers } = sampling
  const said = new Map<string, number>(Object.entries(numbers))
  for (const [name, field] of Object.entries(samplingFields)) {
    const value = said.get(name)
    if (value === undefined) continue
    if (takesField(field, reasoning?.effort, target)) fields[field] = value
    else ignored.add(field)
  }
  if (stop !== undefined) ignored.add('stop')
  return fields
}

/** Fields with the same meaning here. Log probabilities would be lost in the response, so they are not requested. */
function writeExtras(extras: JsonObject, target: ResponsesTarget, ignored: Set<string>): JsonObject {
  const taken: JsonObject = {}
  const { body: priced, left } = applyFeatures(extras, responsesFeatures, target.prices)
  for (const name of left) ignored.add(name)
  const isTaken = (name: string): boolean => name !== 'top_logprobs' && target.vendor.responses.takes.has(name)
  for (const [name, value] of Object.entries(priced)) {
    if (value === undefined || value === null || heardElsewhere.has(name)) continue
    if (isTaken(name)) taken[name] = value
    else if (!isForGateway(name)) ignored.add(name)
  }
  return taken
}

/** Handled by the thinking option or by `text`. */
const heardElsewhere = new Set([
  'verbosity',
  'thinking',
  'thinking_budget',
  'reasoning',
  'reasoning_effort',
  'enable_thinking',
  'include_reasoning',
])
