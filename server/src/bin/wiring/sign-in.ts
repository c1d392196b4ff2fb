import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createMailNotices } from '#control/sign-in/mail-notices.ts'
import { sessionCookieName } from '#http/plugins/session.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { SignIn } from '#ports/people.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import type { SignInSettings } from '#store/sign-in/create-auth.ts'
import { createSignIn } from '#store/sign-in/create-sign-in.ts'
import { signInSecret } from '../sign-in-secret.ts'

export interface WiredSignIn extends SignIn {
  /** Lets mails go out that are on their way. */
  close(): Promise<void>
}

export function wireSignIn(needs: {
  config: Config
  logger: Logger
  pools: PostgresPools
  mailer: Mailer
  nowMs: () => number
}): WiredSignIn {
  const { config, logger, pools, mailer } = needs
  // Cookies and links are those of the whole site, wherever on it the rest may be.
  const publicUrl = config.http.publicUrl === null ? null : new URL(config.http.publicUrl).origin
  const notices = createMailNotices({
    mailer,
    // Start-up refuses a mail server without an address of our own; without a mail server nobody reads the links.
    publicUrl: publicUrl ?? 'http://localhost',
    // The error itself names the receiver.
    onFailure: (error) => logger.warn({ code: codeOf(error) }, 'a mail could not be sent'),
    nowMs: needs.nowMs,
  })
  const signIn = createSignIn({
    pool: pools.general,
    secret: signInSecret(config.secret),
    cookieName: sessionCookieName,
    publicUrl,
    notices,
    requireVerification: mailer.delivers,
    secondFactor: config.auth.secondFactor,
    passkeys: config.auth.passkeys,
    providers: providersOf(config.auth),
    onWarning: (message) => logger.warn({ part: 'sign-in' }, message),
  })
  return { ...signIn, close: notices.idle }
}

function providersOf(auth: Config['auth']): SignInSettings['providers'] {
  const { googleClientId, googleClientSecret, githubClientId, githubClientSecret } = auth
  return {
    ...(googleClientId === null || googleClientSecret === null
      ? {}
      : { google: { clientId: googleClientId, clientSecret: googleClientSecret } }),
    ...(githubClientId === null || githubClientSecret === null
      ? {}
      : { github: { clientId: githubClientId, clientSecret: githubClientSecret } }),
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
