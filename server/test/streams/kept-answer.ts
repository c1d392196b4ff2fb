import { noUsage } from '#domain/inference/usage.ts'
import type { CachedAnswer } from '#pipeline/types.ts'

/** An answer from the response cache, of a request with this id. */
export function keptAnswer(from: string): CachedAnswer {
  return {
    from,
    status: 200,
    ignored: [],
    answer: { usage: noUsage, finishReason: 'stop', nativeFinishReason: 'stop' },
    body: () => ({ bytes: Buffer.alloc(0), release: () => {} }),
    end: () => '',
    output: () => null,
  }
}
