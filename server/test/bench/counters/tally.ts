import { createHook } from 'node:async_hooks'

/** Countable objects that a request creates: the same number in every run, whatever else the machine does. */
export interface Tally {
  promises: number
  timers: number
  bigints: number
}

/** Counts the objects created between `start` and `stop`. Permanently replaces the global `BigInt`. */
export function createTally(): { start(): void; stop(): Tally } {
  let tally: Tally = { promises: 0, timers: 0, bigints: 0 }
  let isOn = false
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROMISE') tally.promises += 1
      if (type === 'Timeout') tally.timers += 1
    },
  })
  globalThis.BigInt = new Proxy(BigInt, {
    apply: (target, self, values) => {
      if (isOn) tally.bigints += 1
      return Reflect.apply(target, self, values)
    },
  })
  return {
    start: () => {
      tally = { promises: 0, timers: 0, bigints: 0 }
      isOn = true
      hook.enable()
    },
    stop: () => {
      hook.disable()
      isOn = false
      return tally
    },
  }
}
