import { signInLinkLifeMs } from '#domain/mail/mail-class.ts'
import { createHourlyAllowance } from '#lib/hourly-allowance.ts'
import type { NewMail } from '#ports/mail-outbox.ts'
import type { SignInNotices } from '#ports/people.ts'
import type { PostMail } from '../mail/post-mail.ts'

const mailsPerHour = 6

interface MailNotices extends SignInNotices {
  /** Resolves when no email is being sent. */
  idle(): Promise<void>
}

/** Sends notices as emails, in the background. */
export function createMailNotices(deps: {
  post: PostMail
  /** The base URL of links. */
  publicUrl: string
  /** Called if the email could not be stored. The person who waits for it can request it again. */
  onFailure: (error: unknown) => void
  nowMs: () => number
}): MailNotices {
  const underWay = new Set<Promise<void>>()
  // A stranger who knows an address must not be able to flood its mailbox. Surplus emails are dropped; the response is
  // the same either way. Password links have a separate allowance, so that no other email uses it up. If strangers use
  // up the allowance, the owner has received links that work.
  const links = createHourlyAllowance({ perHour: mailsPerHour })
  const others = createHourlyAllowance({ perHour: mailsPerHour })
  const post = (mail: Written, allowance = others): void => {
    if (!allowance.take(mail.to.toLowerCase(), deps.nowMs())) return
    const sent = deps
      .post({ ...mail, class: 'sign_in', lifeMs: signInLinkLifeMs })
      .catch(deps.onFailure)
      .finally(() => underWay.delete(sent))
    underWay.add(sent)
  }
  const linkTo = (path: string, query: Record<string, string>): string =>
    new URL(`${path}?${new URLSearchParams(query)}`, deps.publicUrl).href
  return {
    confirmAddress: ({ to, token, returnTo }) =>
      post(confirmAddressMail(to, linkTo('/account/confirm-address', { token, callbackURL: returnTo }))),
    choosePassword: ({ to, token, link }) =>
      post(choosePasswordMail(to, link ?? linkTo('/account/new-password', { token })), links),
    alreadyRegistered: ({ to }) => post(alreadyRegisteredMail(to, deps.publicUrl)),
    idle: async () => {
      await Promise.all(underWay)
    },
  }
}

type Written = Pick<NewMail, 'to' | 'subject' | 'text'>

function confirmAddressMail(to: string, link: string): Written {
  return {
    to,
    subject: 'Confirm your email address',
    text: `Someone signed up with this email address, ${to}, and set a password.

If it was you, confirm your address within one hour:

${link}

If it wasn't you, ignore this email. No one can sign in without the confirmation.
`,
  }
}

function choosePasswordMail(to: string, link: string): Written {
  return {
    to,
    subject: 'Reset your password',
    text: `Someone asked to reset the password for ${to}.

If it was you, choose a new password within one hour. This signs you out everywhere:

${link}

If it wasn't you, ignore this email. Your password stays the same.
`,
  }
}

function alreadyRegisteredMail(to: string, origin: string): Written {
  return {
    to,
    subject: 'You already have an account',
    text: `Someone tried to sign up with this email address, ${to}, which already has an account at ${origin}.

If it was you, sign in instead, or reset your password there. If it wasn't you, you don't need to do anything.
`,
  }
}
