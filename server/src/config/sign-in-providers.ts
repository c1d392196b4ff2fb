import type { Config } from './config-schema.ts'

interface SignInClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** The social sign-in providers for which the operator has set both an id and a secret. */
export function signInProvidersOf(
  auth: Pick<Config['auth'], 'googleClientId' | 'googleClientSecret' | 'githubClientId' | 'githubClientSecret'>,
): { google?: SignInClient; github?: SignInClient } {
  const google = clientOf(auth.googleClientId, auth.googleClientSecret)
  const github = clientOf(auth.githubClientId, auth.githubClientSecret)
  return { ...(google === null ? {} : { google }), ...(github === null ? {} : { github }) }
}

function clientOf(clientId: string | null, clientSecret: string | null): SignInClient | null {
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret }
}
