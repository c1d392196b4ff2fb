/** For upstreams that never start to respond: the error is the same however early the gateway gives up. */
export const hasty = {
  WEIR_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '300',
  WEIR_UPSTREAM_ANSWER_TIMEOUT_MS: '300',
  WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '300',
}

/**
 * For all other upstreams: the first byte arrives in time even on a busy machine. Only a response that stops midway
 * times out.
 */
export const patient = {
  WEIR_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '60000',
  WEIR_UPSTREAM_ANSWER_TIMEOUT_MS: '60000',
  WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '3000',
}
