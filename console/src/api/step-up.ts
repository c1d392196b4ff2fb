import { ApiError } from './api-error.ts'

/**
 * Sensitive account actions need a sign-in within the last ten minutes. `withStepUp` runs an action. If the server
 * requires a fresh session, it opens the dialog and runs the action again after step-up authentication.
 */
export async function withStepUp<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act()
  } catch (error) {
    if (!asksForStepUp(error) || !(await askForStepUp())) throw error
    return act()
  }
}

export function asksForStepUp(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'step_up_required' || error.code === 'SESSION_NOT_FRESH')
}

type Answered = (proven: boolean) => void

let waiting: Answered | null = null
const listeners = new Set<() => void>()

/** Opens the dialog. Resolves with whether the person signed in again. */
export function askForStepUp(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting?.(false)
    waiting = resolve
    tell()
  })
}

export const stepUp = {
  isAsked: (): boolean => waiting !== null,
  answer(proven: boolean): void {
    waiting?.(proven)
    waiting = null
    tell()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function tell(): void {
  for (const listener of listeners) listener()
}
