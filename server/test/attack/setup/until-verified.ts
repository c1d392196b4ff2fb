import type { Reply } from '#test/setup/reply.ts'

const triesMax = 10

/**
 * Repeats a request as long as the gateway could not verify its key in time, as clients do. On a busy machine a lookup
 * may take longer than the gateway waits, and then the answer says nothing about access.
 */
export async function untilVerified(send: () => Promise<Reply>): Promise<Reply> {
  let reply = await send()
  for (let tries = 1; tries < triesMax && isUnverified(reply); tries += 1) reply = await send()
  return reply
}

function isUnverified({ status, text }: Reply): boolean {
  return status === 503 && text.includes('Your API key could not be verified.')
}
