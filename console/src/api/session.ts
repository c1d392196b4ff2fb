import { queryOptions } from '@tanstack/react-query'
import { callAuth } from './auth.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly createdAt: string
  readonly twoFactorEnabled?: boolean | null
}

interface Session {
  readonly user: Person
  readonly session: {
    readonly id: string
    readonly token: string
    readonly createdAt: string
    readonly expiresAt: string
  }
}

/** The signed-in person, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => callAuth<Session | null>('/get-session'),
  staleTime: 60_000,
})
