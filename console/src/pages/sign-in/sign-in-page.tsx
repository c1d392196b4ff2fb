import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate, useRouter } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { consoleStateQuery } from '../../api/console-state.ts'
import { afterSignIn } from './after-sign-in.ts'
import { CredentialsForm } from '../../app/credentials-form.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { ownPath } from './own-path.ts'
import type { Notice } from './search.ts'
import { SignOnNote } from './sign-on-note.tsx'

const route = getRouteApi('/sign-in')

const words: Readonly<Record<Notice, string>> = {
  confirmed: 'Email verified. Sign in to continue.',
  reset: 'Password reset. You were signed out everywhere. Sign in with your new password.',
  refused: "Sign-in wasn't completed. Try again or use your password.",
  deleted: 'Your account has been deleted.',
}

export function SignInPage() {
  const { next, notice, sign_on: refusal } = route.useSearch()
  const router = useRouter()
  const state = useQuery(consoleStateQuery)
  const target = `/console${ownPath(next)}`
  if (state.data?.first_run === true) return <Navigate to="/first-run" />
  const enter = async () => {
    await afterSignIn()
    router.history.push(target)
  }
  return (
    <EntryFrame
      title="Sign in to Weir"
      footer={
        <>
          Don't have an account?{' '}
          <Link
            to="/sign-up"
            search={next === undefined ? {} : { next }}
            className="font-medium text-accent-strong underline underline-offset-2"
          >
            Sign up
          </Link>
        </>
      }
    >
      {notice === undefined ? null : (
        <p role="status" className="mb-4 flex gap-2 rounded-md bg-accent-soft px-3 py-2 text-sm">
          <CircleCheck size={16} className="mt-0.5 shrink-0 text-accent-strong" aria-hidden="true" />
          {words[notice]}
        </p>
      )}
      {refusal === undefined ? null : <SignOnNote refusal={refusal} />}
      <CredentialsForm
        onSignedIn={enter}
        callbackUrl={target}
        aside={
          <Link
            to="/forgot-password"
            className="-mt-2 self-end text-muted text-xs underline underline-offset-2 hover:text-ink"
          >
            Forgot your password?
          </Link>
        }
      />
    </EntryFrame>
  )
}
