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
  /** The person whom an organization's identity provider has proven in this request, or null. */
  readonly signedOn: SignedOn | null
  run<Result>(work: () => Promise<Result>, signedOn?: SignedOn): Promise<{ result: Result; proof: Proof }>
}

interface SignedOn {
  readonly userId: string
  readonly organizationId: string
}

interface Proof {
  sessionOf: string | null
  mailOf: string | null
  readonly signedOn: SignedOn | null
}

export function createProofs(): Proofs {
  const current = new AsyncLocalStorage<Proof>()
  const note = (change: Partial<Pick<Proof, 'sessionOf' | 'mailOf'>>): void => {
    const proof = current.getStore()
    if (proof !== undefined) Object.assign(proof, change)
  }
  return {
    noteSession: (userId) => note({ sessionOf: userId }),
    noteMail: (userId) => note({ mailOf: userId }),
    get signedOn() {
      return current.getStore()?.signedOn ?? null
    },
    run: async (work, signedOn) => {
      const proof: Proof = { sessionOf: null, mailOf: null, signedOn: signedOn ?? null }
      return { result: await current.run(proof, work), proof }
    },
  }
}
