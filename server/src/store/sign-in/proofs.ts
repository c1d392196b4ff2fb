import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Who has proven in a request to own an account. The library tells it to hooks alone, far below the code that answers.
 */
export interface Proofs {
  /** A session is made for this person, which may yet wait for a second factor. */
  noteSession(userId: string): void
  /** This person has chosen a password through the link of a mail. */
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
