import { Worker } from 'node:worker_threads'

/** Ends this process when an input does not: only another thread can, for this one is busy. */
export interface Watchdog {
  begin(input: Buffer): void
  end(): void
  close(): Promise<void>
}

export interface WatchdogOrder {
  readonly target: string
  readonly shared: SharedArrayBuffer
}

/** Ahead of the input: how many inputs have begun or ended, and how long the last is. It runs while the first is odd. */
export const headWords = 2
const inputBytesMax = 1_048_576

export function startWatchdog(target: string): Watchdog {
  const shared = new SharedArrayBuffer(headWords * 4 + inputBytesMax)
  const head = new Int32Array(shared, 0, headWords)
  const bytes = new Uint8Array(shared, headWords * 4)
  const order: WatchdogOrder = { target, shared }
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: order })
  thread.unref()
  const step = (): void => void Atomics.add(head, 0, 1)
  return {
    begin: (input) => {
      bytes.set(input.length > inputBytesMax ? input.subarray(0, inputBytesMax) : input)
      Atomics.store(head, 1, Math.min(input.length, inputBytesMax))
      step()
    },
    end: step,
    close: async () => {
      // Otherwise a thread with nothing else to wait for would end before this one has.
      thread.ref()
      await thread.terminate()
    },
  }
}
