import { TriangleAlert } from 'lucide-react'
import type { SignOnRefusal } from './search.ts'

const words: Readonly<Record<SignOnRefusal, string>> = {
  expired: 'That sign-in has expired or was opened in another browser. Start again.',
  provider: "Your identity provider couldn't sign you in. Try again, or ask your administrator to test the connection.",
  address:
    "Your identity provider didn't send an email address in a domain of your organization. Ask your administrator.",
  unconfirmed:
    "An account with your email address exists, but the address isn't confirmed. Reset your password to confirm it, then try again.",
  second_factor:
    'Your account has a second factor. Sign in with it first, then choose single sign-on again to link the account.',
  other_subject: 'Your email address belongs to another person at your identity provider. Ask your administrator.',
  suspended: 'Your access to this organization is suspended. Ask your administrator.',
  required: 'Your organization requires single sign-on. Enter your email address and continue with it.',
  seats: 'Your organization has no free seat. Ask your administrator.',
  unavailable: "Single sign-on isn't available there. Ask your administrator.",
}

/** Why a single sign-on ended without a session. */
export function SignOnNote({ refusal }: { readonly refusal: SignOnRefusal }) {
  return (
    <p role="alert" className="mb-4 flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
      {words[refusal]}
    </p>
  )
}
