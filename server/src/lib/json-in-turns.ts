import { randomUUID } from 'node:crypto'
import { isJsonObject } from './json.ts'
import type { TextPlace } from './json-scan.ts'

const sliceBytes = 524_288

/**
 * Parses JSON text with a pause after every few milliseconds. Long strings, which are nearly all of a large body, are
 * decoded slice by slice. The rest is parsed with short placeholders, which are then replaced.
 */
export async function parseInTurns(
  bytes: Buffer,
  longTexts: readonly TextPlace[],
  pause: () => Promise<unknown>,
): Promise<unknown> {
  // No client can have sent a string that begins with this mark.
  const mark = randomUUID()
  const texts = new Map<string, string>()
  const skeleton: Buffer[] = []
  let end = 0
  for (const [index, { from, to }] of longTexts.entries()) {
    const name = `${mark}${index}`
    texts.set(name, await decodeText(bytes.subarray(from, to), pause))
    skeleton.push(bytes.subarray(end, from), Buffer.from(name))
    end = to
  }
  await pause()
  const text = Buffer.concat([...skeleton, bytes.subarray(end)]).toString('utf8')
  await pause()
  const value: unknown = JSON.parse(text)
  await pause()
  return texts.size === 0 ? value : withTexts(value, texts, mark)
}

async function decodeText(bytes: Buffer, pause: () => Promise<unknown>): Promise<string> {
  const slices: string[] = []
  for (let from = 0; from < bytes.length; ) {
    await pause()
    const to = cutAt(bytes, from, from + sliceBytes)
    slices.push(decodeSlice(bytes.toString('utf8', from, to)))
    from = to
  }
  await pause()
  return slices.join('')
}

// Text without escapes and without characters that must be escaped decodes to itself.
function decodeSlice(slice: string): string {
  return /[\p{Cc}\\]/u.test(slice) ? String(JSON.parse(`"${slice}"`)) : slice
}

const escapeBytesMax = 6
const characterBytesMax = 4

/**
 * The last position up to `wanted` that splits neither a character nor an escape. The text before `from` ends with
 * neither.
 */
function cutAt(bytes: Buffer, from: number, wanted: number): number {
  if (wanted >= bytes.length) return bytes.length
  const slash = bytes.lastIndexOf(0x5c, wanted - 1)
  if (slash >= from && slash > wanted - escapeBytesMax) {
    let first = slash
    while (first > from && bytes[first - 1] === 0x5c) first -= 1
    const isEscape = (slash - first) % 2 === 0
    const length = bytes[slash + 1] === 0x75 ? escapeBytesMax : 2
    if (isEscape && slash + length > wanted) return slash
  }
  let at = wanted
  while (at > wanted - characterBytesMax && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return at
}

/** Replaces the placeholders with the long strings. */
function withTexts(value: unknown, texts: ReadonlyMap<string, string>, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? (texts.get(value) ?? value) : value
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = withTexts(item, texts, mark)
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === 'string') {
        if (item.startsWith(mark)) value[name] = texts.get(item) ?? item
      } else withTexts(item, texts, mark)
    }
  }
  return value
}
