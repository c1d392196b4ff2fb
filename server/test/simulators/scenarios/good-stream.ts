import type { StepsScenario } from '../scenario.ts'
import type { VendorName } from '../vendors/vendor-style.ts'
import type { UsageNumbers } from './answer.ts'
import { vendorStream } from './vendor-stream.ts'

export interface GoodStreamOptions {
  vendor?: VendorName
  pieces?: readonly string[]
}

export const defaultPieces: readonly string[] = ['Hel', 'lo', ' world']

/** A valid stream, the basis of the faults. */
export function goodStream(
  { vendor = 'openai', pieces = defaultPieces }: GoodStreamOptions,
  usage: UsageNumbers | null = { prompt: 16, completion: pieces.length },
): StepsScenario {
  return vendorStream(vendor, { kind: 'text', pieces, usage })
}
