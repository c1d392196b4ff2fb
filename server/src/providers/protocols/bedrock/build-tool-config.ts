import type { CanonicalCall, Tool } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { cachePointAfter } from './cache-point.ts'
import type { ModelTraits } from './model-traits.ts'

/**
 * The tools, or undefined if there are none. A history with tool calls must be sent with tools, even if the client no
 * longer sends any or forbids their use: they are then derived from the history.
 */
export function buildToolConfig(call: CanonicalCall, traits: ModelTraits): ToolConfig {
  const namesBefore = toolNamesIn(call)
  const isForbidden = call.toolChoice?.kind === 'none'
  if (namesBefore === undefined && (isForbidden || call.tools.length === 0)) return { ignored: [] }
  const tools =
    call.tools.length > 0 ? call.tools.flatMap((tool) => toolBlocks(tool, traits)) : namesBefore?.map(madeUp)
  const toolChoice = call.tools.length > 0 ? choiceOf(call, traits) : undefined
  return {
    toolConfig: { tools: tools ?? [], ...(toolChoice === undefined ? {} : { toolChoice }) },
    ignored: call.tools.length > 0 && (isForbidden || isForceLost(call, traits)) ? ['tool_choice'] : [],
  }
}

interface ToolConfig {
  readonly toolConfig?: JsonObject
  readonly ignored: readonly string[]
}

/** The tools that the history names, or undefined if it has none. */
function toolNamesIn({ turns }: CanonicalCall): string[] | undefined {
  const parts = turns.flatMap((turn) => turn.parts)
  const names = new Set(parts.flatMap((part) => (part.kind === 'tool-call' ? [part.name] : [])))
  if (names.size > 0) return [...names]
  return parts.some((part) => part.kind === 'tool-result') ? ['unknown_tool'] : undefined
}

function toolBlocks(tool: Tool, traits: ModelTraits): JsonObject[] {
  const { description = '' } = tool
  const toolSpec: JsonObject = {
    name: tool.name,
    ...(description.trim() === '' ? {} : { description }),
    inputSchema: {
      json: tool.parameters.type === undefined ? { type: 'object', ...tool.parameters } : tool.parameters,
    },
    ...(tool.strict === true ? { strict: true } : {}),
  }
  // Among tools, only Claude supports cache points.
  return [{ toolSpec }, ...(traits.isClaude ? cachePointAfter(tool.cache, traits) : [])]
}

function madeUp(name: string): JsonObject {
  return { toolSpec: { name, inputSchema: { json: { type: 'object' } } } }
}

/** A model that rejects a forced tool may still choose one on its own. */
function isForceLost({ toolChoice }: CanonicalCall, { isClaude, claude }: ModelTraits): boolean {
  return isClaude && !claude.canBeForced && (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool')
}

function choiceOf(call: CanonicalCall, traits: ModelTraits): JsonObject | undefined {
  const { toolChoice } = call
  if (isForceLost(call, traits)) return { auto: {} }
  switch (toolChoice?.kind) {
    case 'auto':
      return { auto: {} }
    case 'required':
      return { any: {} }
    case 'tool':
      return { tool: { name: toolChoice.name } }
    default:
      return undefined
  }
}
