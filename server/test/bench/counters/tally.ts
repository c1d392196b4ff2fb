import { createHook } from 'node:async_hooks'

/** What a request creates that can be counted: the same in every run, whatever the machine does. */
export interface Tally {
  promises: number
  timers: number
  bigints: number
}

/** Counts what runs between `start` and `stop`. Replaces the global `BigInt` for good. */
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
