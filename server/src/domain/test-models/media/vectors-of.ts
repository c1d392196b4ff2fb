import { hash } from 'node:crypto'
import { countAt, type JsonObject, type JsonValue } from '#lib/json.ts'

export const usualDimensions = 256
const dimensionsMax = 4_096
const charactersPerToken = 4

/** Vectors in OpenAI's format, one per input. Each word adds to a few dimensions, and a vector has length 1. */
export function vectorsOf(fields: JsonObject): JsonObject {
  const inputs = inputsOf(fields['input'])
  const dimensions = dimensionsOf(countAt(fields, 'dimensions'))
  const tokens = inputs.reduce((sum, input) => sum + Math.ceil(input.length / charactersPerToken), 0)
  const data = inputs.map((input, index) => ({ object: 'embedding', index, embedding: vectorOf(input, dimensions) }))
  return { object: 'list', data, model: 'test/embedding', usage: { prompt_tokens: tokens, total_tokens: tokens } }
}

export function dimensionsOf(asked: number | undefined): number {
  return Math.min(asked ?? usualDimensions, dimensionsMax) || usualDimensions
}

function inputsOf(input: JsonValue | undefined): string[] {
  if (!Array.isArray(input)) return [String(input ?? '')]
  return input.map((each) => (Array.isArray(each) ? each.join(' ') : String(each)))
}

export function vectorOf(text: string, dimensions: number): number[] {
  const sums = Array.from({ length: dimensions }, () => 0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const digest = hash('sha256', word, 'buffer')
    for (let at = 0; at < placesPerWord; at += 1) {
      const place = digest.readUInt16BE(at * 2) % dimensions
      sums[place] = (sums[place] ?? 0) + (digest.readUInt8(16 + at) % 2 === 0 ? 1 : -1)
    }
  }
  const length = Math.hypot(...sums) || 1
  return sums.map((sum) => sum / length)
}

const placesPerWord = 8
