import type { StoredResponses } from '#ports/stored-responses.ts'
import { type Background, createBackground } from './background.ts'
import { refundFault } from './refund-fault.ts'
import type { Stages } from './run.ts'
import type { Arrival, Ticket } from './types.ts'

/** Only used if responses are stored. */
export interface ResponseSettings {
  readonly storeByDefault: boolean
  readonly backgroundMax: number
  readonly leaseMs: number
}

interface BackgroundNeighbours extends Pick<Stages, 'hold' | 'dispatch' | 'settle'> {
  readonly contextOf: Parameters<typeof createBackground>[0]['contextOf']
  readonly onError: (error: unknown) => void
}

interface ComposedBackground extends Pick<Background, 'stop' | 'close'> {
  /** Requests in the background leave their client before their hold, and go on after it. */
  readonly stages: Pick<Stages, 'hold' | 'dispatch'>
}

// A gateway learns this late at most that another one has cancelled its request.
const cancelDelayMs = 1_000

export function composeBackground(
  responses: StoredResponses | null,
  { backgroundMax: countMax, leaseMs }: ResponseSettings,
  { hold, dispatch, settle, contextOf, onError }: BackgroundNeighbours,
): ComposedBackground {
  if (responses === null) return { stages: { hold, dispatch }, stop: () => {}, close: async () => {} }
  const refund = (ticket: Ticket, error: unknown): Promise<void> => refundFault(settle, ticket, error)
  const everyMs = Math.min(cancelDelayMs, leaseMs / 4)
  const background = createBackground({ responses, dispatch, refund, contextOf, countMax, everyMs, onError })
  return {
    stages: {
      hold: (planned) => {
        const { arrival, principal } = planned
        if (!isBackground(arrival)) return hold(planned)
        return background.hold(arrival, principal.walletId, (detached) => hold({ ...planned, arrival: detached }))
      },
      dispatch: (ticket) => (isBackground(ticket.arrival) ? background.dispatch(ticket) : dispatch(ticket)),
    },
    stop: background.stop,
    close: background.close,
  }
}

function isBackground({ storage }: Arrival): boolean {
  return storage?.isBackground === true
}
