/** A vector as JSON text, which the gateway does not need to parse. */
export class NumbersText {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }

  toNumbers(): number[] {
    const numbers: number[] = JSON.parse(this.json)
    return numbers
  }
}

export type Vector = readonly number[] | NumbersText | string

/** A vector as numbers, whichever form it came in. */
export function numbersOf(vector: Vector): readonly number[] {
  if (typeof vector === 'string') return base64ToFloats(vector)
  return vector instanceof NumbersText ? vector.toNumbers() : vector
}

/** Vectors are JSON numbers or base64 of little-endian 32-bit floats, as the client chooses. */
export function floatsToBase64(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * bytesPerFloat)
  numbers.forEach((number, index) => bytes.writeFloatLE(number, index * bytesPerFloat))
  return bytes.toString('base64')
}

/** Decodes exactly, because every 32-bit float is also a JavaScript number. */
export function base64ToFloats(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64')
  return Array.from({ length: Math.floor(bytes.length / bytesPerFloat) }, (_, index) =>
    bytes.readFloatLE(index * bytesPerFloat),
  )
}

/** Whether a string can be a vector: base64 of a whole number of floats. */
export function isFloatText(text: string): boolean {
  if (text === '' || text.length % 4 !== 0) return false
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return ((text.length / 4) * 3 - padding) % bytesPerFloat === 0
}

const bytesPerFloat = 4
