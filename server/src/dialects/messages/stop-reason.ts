import type { FinishReason } from '#domain/inference/finish-reason.ts'

/** How a response ended, in canonical terms. */
export interface Ending {
  readonly reason: FinishReason | null
  readonly native: string | null
  readonly stopSequence?: string | undefined
  readonly hasToolCalls: boolean
  readonly hasRefusal: boolean
}

/** The stop reason of Messages. Clients run tools only on `tool_use`, whatever reason the upstream reported. */
export function stopReasonOf({ reason, native, stopSequence, hasToolCalls, hasRefusal }: Ending): string {
  // Reasons that only Messages has and that clients act on.
  if (native === 'pause_turn' || native === 'model_context_window_exceeded') return native
  switch (reason) {
    case 'length':
      return 'max_tokens'
    case 'content_filter':
      return 'refusal'
    case 'tool_calls':
      return 'tool_use'
    case 'stop':
    case 'error':
    case null:
      if (hasToolCalls) return 'tool_use'
      if (stopSequence !== undefined || native === 'stop_sequence') return 'stop_sequence'
      return hasRefusal ? 'refusal' : 'end_turn'
  }
}
