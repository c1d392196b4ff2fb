import { hasCacheMark } from '#domain/inference/cache-marks.ts'
import type { CanonicalCall, ResponseFormat, Sampling, Tool } from '#domain/inference/call.ts'
import { samplingFields } from '#domain/inference/sampling-fields.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { OpenAiTarget } from '../openai-target.ts'
import { takeExtras } from './take-extras.ts'
import { keepsMarks, turnMessages } from './turn-messages.ts'
import { wishFields } from './wish-fields.ts'

interface CanonicalBody {
  body: JsonObject
  /** Options that this upstream does not support. */
  ignored: string[]
}

/** A canonical call as a chat body for this upstream. */
export function canonicalBody(call: CanonicalCall, target: OpenAiTarget): CanonicalBody {
  const { extras, ignored, hasThinking } = takeExtras(call.extras, target)
  const { tools: otherTools, ...others } = extras
  const tools: JsonValue[] = [
    ...call.tools.map((tool) => toolJson(tool, keepsMarks(target))),
    ...(Array.isArray(otherTools) ? otherTools : []),
  ]
  const sampling = writeSampling(call.sampling, target)
  const body: JsonObject = {
    messages: turnMessages(call, target),
    ...(tools.length === 0 ? {} : { tools }),
    ...toolChoice(call),
    ...(call.parallelToolCalls === null ? {} : { parallel_tool_calls: call.parallelToolCalls }),
    ...(call.choiceCount === 1 ? {} : { n: call.choiceCount }),
    ...sampling.fields,
    ...(call.responseFormat === null ? {} : { response_format: formatJson(call.responseFormat) }),
    ...(call.endUser === null ? {} : { user: call.endUser }),
    ...(call.reasoning === null || hasThinking ? {} : wishFields(call.reasoning, target)),
    ...others,
  }
  const lost = !keepsMarks(target) && hasCacheMark(call) ? ['cache_control'] : []
  return { body, ignored: [...ignored, ...sampling.ignored, ...lost] }
}

function toolJson({ name, description, parameters, strict, cache }: Tool, keepsCacheMarks: boolean): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters,
      ...(strict === undefined ? {} : { strict }),
    },
    ...(keepsCacheMarks && isMark(cache) ? { cache_control: cache } : {}),
  }
}

function isMark(cache: unknown): cache is JsonObject {
  return typeof cache === 'object' && cache !== null
}

function toolChoice({ toolChoice: choice }: CanonicalCall): JsonObject {
  if (choice === null) return {}
  if (choice.kind === 'tool') return { tool_choice: { type: 'function', function: { name: choice.name } } }
  return { tool_choice: choice.kind }
}

const names = { ...samplingFields, stop: 'stop' } as const satisfies Record<keyof Sampling, string>

const beyondOpenAi = new Set<string>(['top_k', 'min_p', 'top_a', 'repetition_penalty'])

function writeSampling(sampling: Sampling, { vendor }: OpenAiTarget): { fields: JsonObject; ignored: string[] } {
  const fields: JsonObject = {}
  const ignored: string[] = []
  const isPlain = vendor.openai.plainSampling === true
  const said = new Map<string, number | readonly string[]>(Object.entries(sampling))
  for (const [name, field] of Object.entries(names)) {
    const value = said.get(name)
    if (value === undefined) continue
    if (isPlain && beyondOpenAi.has(field)) ignored.push(field)
    else fields[field] = typeof value === 'number' ? value : [...value]
  }
  return { fields, ignored }
}

function formatJson(format: ResponseFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, description, strict, schema } = format
  return {
    type: 'json_schema',
    json_schema: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(strict === undefined ? {} : { strict }),
      schema,
    },
  }
}
