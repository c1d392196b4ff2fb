import type { Part, ReasoningPart, ToolCallPart } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import { ownCallId } from './call-ids.ts'
import { thinksInLevels } from './model-family.ts'
import { parseShallowObject } from './parse-shallow-object.ts'
import { plainPart } from './plain-part.ts'

/**
 * The model's output, with every signature back on its original part. A signature that arrived on text is a separate
 * part: it belongs to an unsigned call that directly follows, otherwise to the output before it, otherwise to the next
 * text.
 */
export function buildModelParts(parts: readonly Part[], model: string): JsonObject[] {
  const built: JsonObject[] = []
  let waiting: string | undefined
  const callSignatures = signaturesByCall(parts)
  parts.forEach((part, position) => {
    if (part.kind === 'tool-call') {
      built.push(functionCall(part, part.signature ?? callSignatures.get(part.id) ?? take()))
      return
    }
    if (part.kind === 'reasoning') {
      if (part.format === 'google') addThought(part, parts[position + 1])
      return
    }
    const plain = plainPart(part)
    const isText = part.kind === 'text' && plain.length > 0
    built.push(...(isText && waiting !== undefined ? plain.map((text) => sign(text, take())) : plain))
  })
  if (waiting !== undefined) built.push({ text: '', thoughtSignature: waiting })
  return thinksInLevels(model) ? excuseUnsignedCalls(built) : built

  function take(): string | undefined {
    const signature = waiting
    waiting = undefined
    return signature
  }

  function addThought(part: ReasoningPart, next: Part | undefined): void {
    const signature = part.signature ?? part.encrypted
    if (part.text !== '') built.push(sign({ text: part.text, thought: true }, signature))
    else if (signature !== undefined && !(part.id !== undefined && callSignatures.has(part.id))) place(signature, next)
  }

  function place(signature: string, next: Part | undefined): void {
    const last = built.at(-1)
    const leadsToCall = next?.kind === 'tool-call' && next.signature === undefined && !callSignatures.has(next.id)
    if (leadsToCall || last === undefined || !isSignable(last)) {
      // After two signatures in a row, the earlier one gets an empty text part.
      if (waiting !== undefined) built.push({ text: '', thoughtSignature: waiting })
      waiting = signature
    } else built[built.length - 1] = sign(last, signature)
  }
}

/** Signatures that a client's dialect had to separate from their calls, by call id. */
function signaturesByCall(parts: readonly Part[]): Map<string, string> {
  const unsigned = new Set(
    parts.filter((part) => part.kind === 'tool-call' && part.signature === undefined).map((part) => idOf(part)),
  )
  const found = new Map<string, string>()
  for (const part of parts) {
    if (part.kind !== 'reasoning' || part.format !== 'google' || part.text !== '' || part.id === undefined) continue
    const signature = part.signature ?? part.encrypted
    if (signature !== undefined && unsigned.has(part.id)) found.set(part.id, signature)
  }
  return found
}

function idOf(part: Part): string | undefined {
  return part.kind === 'tool-call' ? part.id : undefined
}

function isSignable(part: JsonObject): boolean {
  const isSaid = part.text !== undefined || part.inlineData !== undefined
  return isSaid && part.thought !== true && part.thoughtSignature === undefined
}

function sign(part: JsonObject, thoughtSignature: string | undefined): JsonObject {
  return thoughtSignature === undefined ? part : { ...part, thoughtSignature }
}

function functionCall({ id, name, argumentsJson }: ToolCallPart, signature: string | undefined): JsonObject {
  const own = ownCallId(id)
  return sign(
    { functionCall: { name, args: argumentsOf(argumentsJson), ...(own === undefined ? {} : { id: own }) } },
    signature,
  )
}

/** Arguments that are not an object, which a model may write and a client may return, are put under a name. */
function argumentsOf(text: string): JsonObject {
  return parseShallowObject(text) ?? (text.trim() === '' ? {} : { arguments: text })
}

/**
 * Newer models reject a conversation with unsigned calls, such as one that another model began. Google defines a value
 * for this case, which must be on the first call of a step.
 */
function excuseUnsignedCalls(parts: JsonObject[]): JsonObject[] {
  const isSigned = parts.some((part) => isCall(part) && part.thoughtSignature !== undefined)
  const first = parts.findIndex(isCall)
  if (isSigned || first === -1) return parts
  return parts.map((part, position) =>
    position === first ? { ...part, thoughtSignature: 'skip_thought_signature_validator' } : part,
  )
}

function isCall(part: JsonObject): boolean {
  return part.functionCall !== undefined
}
