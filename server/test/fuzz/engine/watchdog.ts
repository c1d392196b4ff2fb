import { Worker } from 'node:worker_threads'

/** Ends this process when an input does not: only another thread can, for this one is busy. */
export interface Watchdog {
  begin(target: string, input: Buffer): void
  end(): void
  close(): Promise<void>
}

export interface WatchdogOrder {
  readonly shared: SharedArrayBuffer
}

const headWords = 3
const nameBytesMax = 64
const inputBytesMax = 1_048_576

/** What both threads see. */
export interface Watched {
  /** How many inputs have begun or ended, so that one runs while it is odd; then the bytes of the name and of the input. */
  readonly head: Int32Array<SharedArrayBuffer>
  readonly name: Uint8Array<SharedArrayBuffer>
  readonly input: Uint8Array<SharedArrayBuffer>
}

export function watchedIn(shared: SharedArrayBuffer): Watched {
  return {
    head: new Int32Array(shared, 0, headWords),
    name: new Uint8Array(shared, headWords * 4, nameBytesMax),
    input: new Uint8Array(shared, headWords * 4 + nameBytesMax),
  }
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
      // Otherwise a thread with nothing else to wait for would end before this one has.
      thread.ref()
      await thread.terminate()
    },
  }
}
