import type { Usage } from '#domain/inference/usage.ts'
import { NumbersText, type Vector } from '#domain/media/float-vectors.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { ExchangeScript } from '../exchange-script.ts'
import { UnusableAnswerError } from '../faults.ts'
import { addUsage } from './add-usage.ts'
import { type Reads, refuseUnreadable } from './texts-of.ts'

/** An upstream's result for some of the inputs. */
export interface Batch {
  readonly vectors: readonly Vector[]
  readonly usage: Usage | null
}

export interface BatchLimits extends Reads {
  /** Maximum inputs per request. */
  readonly inputsMax: number
}

/** Sends as many inputs per request as an upstream accepts, one request after another, and sums their usage. */
export function* inBatches(
  { inputs, encoding }: EmbeddingTask,
  { inputsMax, ...reads }: BatchLimits,
  ask: (batch: readonly EmbeddingInput[]) => ExchangeScript<Batch>,
): ExchangeScript<EmbeddingResult> {
  const size = encoding === 'base64' ? inputsMax : Math.min(inputsMax, numberVectorsMax)
  refuseUnreadable(inputs, reads)
  refuseManyRequests(inputs.length, size)
  const vectors: Vector[] = []
  const usages: (Usage | null)[] = []
  for (let start = 0; start < inputs.length; start += size) {
    const batch = inputs.slice(start, start + size)
    const made = yield* ask(batch)
    if (made.vectors.length !== batch.length) {
      throw new UnusableAnswerError(`The upstream returned ${made.vectors.length} vectors for ${batch.length} inputs.`)
    }
    // Written batch by batch, because writing all at once would block other requests.
    vectors.push(...(encoding === 'base64' ? made.vectors : made.vectors.map(asText)))
    usages.push(made.usage)
  }
  return { kind: 'embedding', vectors, usage: addUsage(usages) }
}

function asText(vector: Vector): Vector {
  return Array.isArray(vector) ? new NumbersText(JSON.stringify(vector)) : vector
}

// As JSON numbers, 512 vectors of 4,096 dimensions are 46 MB, and a response may have at most 64 MB; as base64, 2,048
// of them are 45 MB.
const numberVectorsMax = 512

// Enough for everything that a client may send to an upstream with ten inputs per request.
const requestsMax = 256

function refuseManyRequests(inputCount: number, size: number): void {
  if (inputCount <= size * requestsMax) return
  throw new GatewayError('malformedRequest', {
    message: `This model accepts at most ${size * requestsMax} inputs per request.`,
  })
}
