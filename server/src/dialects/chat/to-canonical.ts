import type { CanonicalCall } from '#domain/inference/call.ts'
import { samplingFields } from '#domain/inference/sampling-fields.ts'
import type { JsonObject } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { responseFormatOf, samplingOf, toolChoiceOf, toolOf } from './canonical-settings.ts'
import { canonicalTurns } from './canonical-turns.ts'
import { reasoningWishOf } from '#domain/inference/reasoning-wish.ts'

/** Converts a chat request to canonical form. */
export function chatToCanonical(call: DialectCall): CanonicalCall {
  const { body } = call
  const { system, turns } = canonicalTurns(Array.isArray(body.messages) ? body.messages : [])
  const tools = Array.isArray(body.tools) ? body.tools : []
  const otherTools = tools.filter((tool) => toolOf(tool) === undefined)
  const toolChoice = toolChoiceOf(body.tool_choice)
  const responseFormat = responseFormatOf(body.response_format)
  return {
    system,
    turns,
    tools: tools.map(toolOf).filter((tool) => tool !== undefined),
    toolChoice: toolChoice ?? null,
    parallelToolCalls: typeof body.parallel_tool_calls === 'boolean' ? body.parallel_tool_calls : null,
    maxTokens: call.maxTokens,
    choiceCount: call.choiceCount,
    sampling: samplingOf(body),
    reasoning: reasoningWishOf(body),
    responseFormat: responseFormat ?? null,
    stream: call.stream,
    endUser: typeof body.user === 'string' ? body.user : null,
    extras: {
      ...extrasOf(body),
      ...(otherTools.length === 0 ? {} : { tools: otherTools }),
      ...(toolChoice === undefined && isSaid(body.tool_choice) ? { tool_choice: body.tool_choice } : {}),
      ...(responseFormat === undefined ? { response_format: body.response_format } : {}),
    },
  }
}

const placed: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'stop',
  'response_format',
  'stream',
  'user',
  '__proto__',
  ...Object.values(samplingFields),
])

/** Reasoning fields also stay in the client's own form, for upstreams that know exactly that field. */
function extrasOf(body: JsonObject): JsonObject {
  const extras: JsonObject = {}
  for (const [name, value] of Object.entries(body)) if (!placed.has(name)) extras[name] = value
  return extras
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null
}
