/**
 * An id for a call that came without one. It is the same each time the same response is read. It contains the
 * response's id, because other upstreams reject a conversation in which an id occurs twice.
 */
export function mintCallId({ responseId, choice, index }: CallPlace): string {
  // 24 characters, because some upstreams accept ids of at most 40.
  const scope = (responseId ?? '').replace(/[^A-Za-z0-9_-]/g, '').slice(0, 24)
  const steps = ['call', scope, choice === 0 ? '' : `c${choice}`, String(index)]
  return steps.filter((step) => step !== '').join('_')
}

interface CallPlace {
  readonly responseId: string | undefined
  readonly choice: number
  /** Index among the calls of its choice. */
  readonly index: number
}

/**
 * The id if Gemini created it, otherwise undefined: ids that the gateway created, or that other vendors created earlier
 * in a conversation, mean nothing to Gemini, and some of its versions reject them. Calls are then matched by name and
 * order.
 */
export function ownCallId(id: string): string | undefined {
  return foreign.test(id) ? undefined : id
}

const foreign = /^(?:$|call_|toolu_|tooluse_|srvtoolu_|fc_|chatcmpl-)/
