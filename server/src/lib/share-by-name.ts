import { shareBriefly } from './share-briefly.ts'

interface Shared<Result> {
  /** How many calls wait. The last one forgets the name. */
  waiting: number
  readonly compute: () => Promise<Result>
}

/** Shares results as `shareBriefly` does, between all calls with one name that wait at the same time. */
export function shareByName<Result>(options: {
  readonly forMs: number
  readonly nowMs: () => number
}): (name: string, compute: () => Promise<Result>) => Promise<Result> {
  const named = new Map<string, Shared<Result>>()
  return async (name, compute) => {
    const shared = named.get(name) ?? { waiting: 0, compute: shareBriefly(compute, options) }
    named.set(name, shared)
    shared.waiting += 1
    try {
      return await shared.compute()
    } finally {
      shared.waiting -= 1
      if (shared.waiting === 0) named.delete(name)
    }
  }
}
