import { queryOptions } from '@tanstack/react-query'
import { callUnrecorded } from './auth.ts'

/** Features of this installation. It is read before sign-in. */
interface ConsoleState {
  readonly first_run: boolean
  readonly sign_in: {
    readonly second_factor: boolean
    readonly passkeys: boolean
    readonly providers: readonly string[]
    readonly confirms_address: boolean
  }
  readonly creates_organizations: boolean
  /** Whether the gateway serves the documentation at `/docs/`. */
  readonly documentation: boolean
  readonly test_models: boolean
  readonly version: string
}

export const consoleStateQuery = queryOptions({
  queryKey: ['console-state'],
  queryFn: () => callUnrecorded<ConsoleState>('/api/console/state'),
  staleTime: 60_000,
})
