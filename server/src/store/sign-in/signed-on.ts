import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { Proofs } from './proofs.ts'

/** Begins sessions of people whom an identity provider has proven. Only this process can call it; it has no route. */
export function signedOn(proofs: Pick<Proofs, 'signedOn'>) {
  return {
    id: 'signed-on',
    endpoints: {
      beginSignedOn: createAuthEndpoint(
        '/signed-on',
        { method: 'POST', metadata: { SERVER_ONLY: true } },
        async (context) => {
          const { internalAdapter } = context.context
          const user = proofs.signedOn === null ? null : await internalAdapter.findUserById(proofs.signedOn.userId)
          if (user === null) throw new APIError('NOT_FOUND')
          const session = await internalAdapter.createSession(user.id)
          await setSessionCookie(context, { session, user })
          return context.json({})
        },
      ),
    },
  } as const satisfies BetterAuthPlugin
}
