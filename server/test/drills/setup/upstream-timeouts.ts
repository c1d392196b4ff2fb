/** For upstreams that never begin to answer: the refusal is the same however early the gateway gives up. */
export const hasty = {
  WEIR_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '300',
  WEIR_UPSTREAM_ANSWER_TIMEOUT_MS: '300',
  WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '300',
}

/** For all others: even a busy machine begins in time. Only an answer that stops in the middle is waited for. */
export const patient = {
  WEIR_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '60000',
  WEIR_UPSTREAM_ANSWER_TIMEOUT_MS: '60000',
  WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '3000',
}
