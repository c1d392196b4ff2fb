/**
 * The `call_id` is the only value of a function call that every client returns, so it carries an upstream's signature
 * over the call, in characters that are safe in any id.
 */
export function signedCallId(id: string, signature: string | undefined): string {
  return signature === undefined ? id : `${id}${mark}${Buffer.from(signature).toString('base64url')}`
}

interface CallIdRead {
  readonly id: string
  readonly signature?: string
}

export function readCallId(callId: string): CallIdRead {
  const at = callId.lastIndexOf(mark)
  if (at === -1) return { id: callId }
  const signature = Buffer.from(callId.slice(at + mark.length), 'base64url').toString('utf8')
  return { id: callId.slice(0, at), signature }
}

const mark = '__weir_sig__'
