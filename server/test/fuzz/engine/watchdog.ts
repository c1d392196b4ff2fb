import { Worker } from 'node:worker_threads'
import { headWords, inputBytesMax, nameBytesMax, type WatchdogOrder, watchedIn } from './watched.ts'

/** Ends this process when an input hangs: only another thread can, because this one is busy. */
export interface Watchdog {
  begin(target: string, input: Buffer): void
  end(): void
  close(): Promise<void>
}

export function startWatchdog(): Watchdog {
  const shared = new SharedArrayBuffer(headWords * 4 + nameBytesMax + inputBytesMax)
  const watched = watchedIn(shared)
  const order: WatchdogOrder = { shared }
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: order })
  thread.unref()
  let named = ''
  const step = (): void => void Atomics.add(watched.head, 0, 1)
  return {
    begin: (target, input) => {
      if (target !== named) {
        watched.name.set(Buffer.from(target))
        Atomics.store(watched.head, 1, Buffer.byteLength(target))
        named = target
      }
      watched.input.set(input.length > inputBytesMax ? input.subarray(0, inputBytesMax) : input)
      Atomics.store(watched.head, 2, Math.min(input.length, inputBytesMax))
      step()
    },
    end: step,
    close: async () => {
      // Otherwise a thread with nothing else to wait for would end before this one.
      thread.ref()
      await thread.terminate()
    },
  }
}
