import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Records who has proven in a request that they own an account. The library reports it only to hooks, far below the
 * code that responds.
 */
export interface Proofs {
  /** A session was created for this person. A second factor may still be required. */
  noteSession(userId: string): void
  /** This person has set a password through an emailed link. */
  noteMail(userId: string): void
  run<Result>(work: () => Promise<Result>): Promise<{ result: Result; proof: Proof }>
}

interface Proof {
  sessionOf: string | null
  mailOf: string | null
}

export function createProofs(): Proofs {
  const current = new AsyncLocalStorage<Proof>()
  const note = (change: Partial<Proof>): void => {
    const proof = current.getStore()
    if (proof !== undefined) Object.assign(proof, change)
  }
  return {
    noteSession: (userId) => note({ sessionOf: userId }),
    noteMail: (userId) => note({ mailOf: userId }),
    run: async (work) => {
      const proof: Proof = { sessionOf: null, mailOf: null }
      return { result: await current.run(proof, work), proof }
    },
  }
}
