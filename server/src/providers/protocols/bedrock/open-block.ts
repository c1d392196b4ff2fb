import type { StreamPart } from '#domain/inference/stream-part.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject, stringAt } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'

/** A block whose end has not arrived. Text is not tracked, because its end has no content. */
export type OpenBlock =
  | { readonly kind: 'tool'; readonly index: number; readonly id: string; readonly name: string; hasInput: boolean }
  /** Signatures and redacted thinking are passed on only as a whole. */
  | { readonly kind: 'thinking'; signature: string; readonly redacted: string[] }
  | { readonly kind: 'image'; readonly mediaType: string; readonly pieces: string[] }
  /** Tools that run at Amazon: their calls and results mean nothing to other upstreams, but must be sent back. */
  | { readonly kind: 'server-tool'; readonly use: JsonObject; input: string }
  | { readonly kind: 'server-result'; readonly result: JsonObject; readonly content: JsonValue[] }

/** The block that a `contentBlockStart` announces, or undefined if it announces nothing relevant. */
export function openBlock(start: JsonObject, toolIndex: number): OpenBlock | undefined {
  const { toolUse, toolResult, image } = start
  if (isJsonObject(toolUse)) {
    if (toolUse.type === 'server_tool_use') return { kind: 'server-tool', use: toolUse, input: '' }
    const id = stringAt(toolUse, 'toolUseId') || `tooluse_${toolIndex}`
    return { kind: 'tool', index: toolIndex, id, name: stringAt(toolUse, 'name') ?? '', hasInput: false }
  }
  if (isJsonObject(toolResult)) return { kind: 'server-result', result: toolResult, content: [] }
  if (isJsonObject(image))
    return { kind: 'image', mediaType: `image/${stringAt(image, 'format') ?? 'png'}`, pieces: [] }
  return undefined
}

/** The parts that a block emits at its end. */
export function closeBlock(block: OpenBlock): StreamPart[] {
  switch (block.kind) {
    case 'tool':
      return block.hasInput ? [] : [{ kind: 'tool-call-added', choice: 0, index: block.index, json: '{}' }]
    case 'thinking':
      return closeThinking(block)
    case 'image':
      return [
        {
          kind: 'image-added',
          choice: 0,
          source: { kind: 'data', mediaType: block.mediaType, base64: joinBase64(block.pieces) },
        },
      ]
    case 'server-tool':
      return [opaque({ toolUse: { ...block.use, input: parseJsonObject(block.input) ?? {} } })]
    case 'server-result':
      return [opaque({ toolResult: { ...block.result, content: block.content } })]
    default:
      return unreachable(block)
  }
}

function closeThinking({ signature, redacted }: OpenBlock & { kind: 'thinking' }): StreamPart[] {
  const parts: StreamPart[] = []
  if (signature !== '') parts.push({ kind: 'reasoning-signed', choice: 0, signature, format: 'anthropic' })
  if (redacted.length > 0) {
    parts.push({ kind: 'reasoning-encrypted', choice: 0, data: joinBase64(redacted), format: 'anthropic' })
  }
  return parts
}

function opaque(value: JsonObject): StreamPart {
  return { kind: 'opaque-added', choice: 0, part: { kind: 'opaque', protocol: 'bedrock', value } }
}

/** A single piece stays unchanged. Several were encoded separately, so their texts cannot simply be joined. */
function joinBase64(pieces: readonly string[]): string {
  const [only = '', ...more] = pieces
  if (more.length === 0) return only
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}
