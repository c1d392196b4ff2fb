import { malformed } from '#errors/malformed.ts'

/** More than any model's context holds. Each message takes some microseconds of the event loop. */
export const messagesMax = 10_000
const toolCallsMax = 4_000

export function refuseManyMessages(field: 'messages' | 'input', count: number): void {
  if (count > messagesMax)
    throw malformed(`\`${field}\` has ${count} entries; send at most ${messagesMax} in one request.`)
}

export function refuseManyToolCalls(count: number): void {
  if (count > toolCallsMax) throw malformed(`The conversation has too many tool calls. Send at most ${toolCallsMax}.`)
}
