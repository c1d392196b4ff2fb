/** Delays responses until this many requests have arrived. */
export interface Gate {
  arrive(): void
  readonly opened: Promise<void>
}

export function createGate(expected: number): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  let arrived = 0
  return {
    arrive: () => {
      arrived += 1
      if (arrived >= expected) resolve()
    },
    opened: promise,
  }
}
