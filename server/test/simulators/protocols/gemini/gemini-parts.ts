import type { JsonObject } from '../../json-value.ts'
import type { GeminiAnswer, GeminiToolCall } from './gemini-answer.ts'

/** The parts of an answer and its finish reason; null if it does not end. */
export function saidIn(answer: GeminiAnswer): { parts: JsonObject[]; finishReason: string | null } {
  switch (answer.kind) {
    case 'text':
      return { parts: [...texts(answer.pieces), ...closing(answer.signature)], finishReason: 'STOP' }
    case 'thoughts':
      return {
        parts: [...thoughts(answer.thoughts), ...texts(answer.pieces), ...closing(answer.signature)],
        finishReason: 'STOP',
      }
    case 'tools':
      return {
        parts: [...thoughts(answer.thoughts ?? []), ...texts(answer.pieces ?? []), ...answer.calls.map(callPart)],
        finishReason: 'STOP',
      }
    case 'image':
      return { parts: [...texts(answer.pieces ?? []), picture(answer)], finishReason: 'STOP' }
    case 'length':
      return { parts: [...thoughts(answer.thoughts ?? []), ...texts(answer.pieces)], finishReason: 'MAX_TOKENS' }
    case 'output-blocked':
      return { parts: texts(answer.pieces), finishReason: answer.reason ?? 'SAFETY' }
    case 'prompt-blocked':
      return { parts: [], finishReason: null }
    case 'mid-stream-error':
    case 'truncated':
      return { parts: texts(answer.pieces), finishReason: null }
    default:
      return answer satisfies never
  }
}

function texts(pieces: readonly string[]): JsonObject[] {
  return pieces.map((text) => ({ text }))
}

function thoughts(pieces: readonly string[]): JsonObject[] {
  return pieces.map((text) => ({ text, thought: true }))
}

/** A streamed signature comes on an empty part after the text. */
function closing(signature: string | undefined): JsonObject[] {
  return signature === undefined ? [] : [{ text: '', thoughtSignature: signature }]
}

function callPart({ name, args, id, signature }: GeminiToolCall): JsonObject {
  return {
    functionCall: { name, args, ...(id === undefined ? {} : { id }) },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  }
}

function picture({ mimeType, data, signature }: { mimeType: string; data: string; signature?: string }): JsonObject {
  return {
    inlineData: { mimeType, data },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  }
}
