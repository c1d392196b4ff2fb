import { createHash } from 'node:crypto'
import type { Part, ReasoningPart, ToolResultPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import { cachePointAfter } from './cache-point.ts'
import { mediaBlock } from './media-block.ts'
import type { ModelTraits } from './model-traits.ts'

export interface BlockContext {
  readonly traits: ModelTraits
  /** Document names used so far. */
  readonly documentNames: Set<string>
}

/** The Converse blocks of a part, including its cache point. Empty for parts that this upstream cannot read. */
export function contentBlocks(part: Part, context: BlockContext): JsonObject[] {
  const block = contentBlock(part, context)
  if (block === undefined) return []
  return [block, ...cachePointAfter('cache' in part ? part.cache : undefined, context.traits)]
}

function contentBlock(part: Part, context: BlockContext): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      // A blank text is rejected.
      return part.text.trim() === '' ? undefined : { text: part.text }
    case 'image':
    case 'file':
    case 'audio':
    case 'video':
      return mediaBlock(part, context.documentNames)
    case 'tool-call': {
      const input = parseJsonObject(part.argumentsJson) ?? {}
      return { toolUse: { toolUseId: toolUseId(part.id), name: part.name, input } }
    }
    case 'tool-result':
      return toolResultBlock(part, context)
    case 'reasoning':
      return thinkingBlock(part, context.traits)
    case 'opaque':
      return part.protocol === 'bedrock' && isJsonObject(part.value) ? part.value : undefined
    default:
      return part satisfies never
  }
}

function toolResultBlock(part: ToolResultPart, context: BlockContext): JsonObject {
  const content = part.content.map((piece) => contentBlock(piece, context)).filter((block) => block !== undefined)
  return {
    toolResult: { toolUseId: toolUseId(part.callId), content, ...(part.isError === true ? { status: 'error' } : {}) },
  }
}

/** Sent byte for byte or not at all: thinking without a signature, or with another vendor's, is rejected. */
function thinkingBlock(part: ReasoningPart, { isClaude }: ModelTraits): JsonObject | undefined {
  if (part.format !== 'anthropic' || !isClaude) return undefined
  if (part.encrypted !== undefined) return { reasoningContent: { redactedContent: part.encrypted } }
  if (part.signature === undefined) return undefined
  return { reasoningContent: { reasoningText: { text: part.text, signature: part.signature } } }
}

/** Other vendors' ids may be longer or have other characters. The same id gets the same name in every turn. */
function toolUseId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id
  return `tooluse_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}
