import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { linkOriginOf, publicOriginOf } from '#config/public-origin.ts'
import { signInProvidersOf } from '#config/sign-in-providers.ts'
import type { PostMail } from '#control/mail/post-mail.ts'
import { createMailNotices } from '#control/sign-in/mail-notices.ts'
import { sessionCookieName } from '#http/plugins/session.ts'
import { errorCode } from '#lib/error-code.ts'
import type { SignIn } from '#ports/people.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createSignIn } from '#store/sign-in/create-sign-in.ts'
import { signInSecret } from '../sign-in-secret.ts'

interface WiredSignIn extends SignIn {
  /** Finishes emails that are being sent. */
  close(): Promise<void>
}

export function wireSignIn(deps: {
  config: Config
  logger: Logger
  pools: PostgresPools
  mail: { readonly post: PostMail; readonly hasServer: boolean }
  nowMs: () => number
}): WiredSignIn {
  const { config, logger, pools, mail } = deps
  const notices = createMailNotices({
    post: mail.post,
    publicUrl: linkOriginOf(config.http),
    onFailure: (error) => logger.warn({ code: errorCode(error) }, 'failed to queue an email'),
    nowMs: deps.nowMs,
  })
  const signIn = createSignIn({
    pool: pools.general,
    secret: signInSecret(config.secret),
    cookieName: sessionCookieName,
    publicUrl: publicOriginOf(config.http),
    notices,
    requireVerification: mail.hasServer,
    secondFactor: config.auth.secondFactor,
    operatorSecondFactor: config.auth.operatorSecondFactor,
    passkeys: config.auth.passkeys,
    providers: signInProvidersOf(config.auth),
    onWarning: (message) => logger.warn({ part: 'sign-in' }, message),
  })
  return { ...signIn, close: notices.idle }
}
