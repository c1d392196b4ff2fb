import type { SignInWays } from '#domain/access/sign-in-ways.ts'
import type { Config } from '#config/config-schema.ts'
import { signInProvidersOf } from '#config/sign-in-providers.ts'

/** Passkeys are bound to a host, so they need a configured public URL. Email verification needs a mail server. */
export function signInWaysOf({ auth, http, mail }: Pick<Config, 'auth' | 'http' | 'mail'>): SignInWays {
  return {
    secondFactor: auth.secondFactor,
    passkeys: auth.passkeys && http.publicUrl !== null,
    providers: Object.keys(signInProvidersOf(auth)),
    mail: mail.url !== null,
  }
}
