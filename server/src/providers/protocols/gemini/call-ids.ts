/**
 * An id for a call that came without one, the same whenever the same answer is read. The answer's own id is part of it,
 * because other upstreams refuse a conversation in which an id occurs twice.
 */
export function mintCallId({ responseId, choice, index }: CallPlace): string {
  // 24 characters, because some upstreams take ids of at most 40.
  const scope = (responseId ?? '').replace(/[^A-Za-z0-9_-]/g, '').slice(0, 24)
  const steps = ['call', scope, choice === 0 ? '' : `c${choice}`, String(index)]
  return steps.filter((step) => step !== '').join('_')
}

interface CallPlace {
  readonly responseId: string | undefined
  readonly choice: number
  /** Among the calls of its choice. */
  readonly index: number
}

/**
 * The id if Gemini gave it, else undefined: ids that we minted, or that other vendors gave earlier in a conversation,
 * mean nothing to Gemini and are refused by some of its versions. Names and order tell the same.
 */
export function ownCallId(id: string): string | undefined {
  return foreign.test(id) ? undefined : id
}

const foreign = /^(?:$|call_|toolu_|tooluse_|srvtoolu_|fc_|chatcmpl-)/
