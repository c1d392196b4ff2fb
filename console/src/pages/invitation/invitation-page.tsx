import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { acceptInvitation, openedInvitationQuery } from '../../api/invitations.ts'
import { sessionQuery } from '../../api/session.ts'
import { queryClient } from '../../app/query-client.ts'
import { roleLabel } from '../../app/role-words.ts'
import { organizationsQuery } from '../../app/wallet.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { EntryFrame } from '../sign-in/entry-frame.tsx'

const route = getRouteApi('/invitation')

type Opened = Awaited<ReturnType<NonNullable<ReturnType<typeof openedInvitationQuery>['queryFn']>>>

/** What an invitation gives, and who may accept it. Opening the link alone does nothing. */
export function InvitationPage() {
  const { token = '' } = route.useSearch()
  const opened = useQuery(openedInvitationQuery(token))
  const session = useQuery(sessionQuery)
  if (opened.error !== null) {
    return (
      <EntryFrame title="This invitation can't be used" footer={<Home />}>
        <ErrorNote error={opened.error} />
      </EntryFrame>
    )
  }
  if (opened.data === undefined || session.data === undefined) {
    return (
      <EntryFrame title="Invitation">
        <Skeleton className="h-40 w-full" />
      </EntryFrame>
    )
  }
  const { organization, invitedBy, role, team, monthlyBudget, expiresAt } = opened.data
  return (
    <EntryFrame title={`Join ${organization.name}`}>
      <div className="flex flex-col gap-5">
        <p className="text-sm">
          <span className="font-medium">{invitedBy}</span> invited you to the organization{' '}
          <span className="font-medium">{organization.name}</span>.
        </p>
        <Facts
          facts={[
            ['Role', roleLabel(role)],
            ['Team', team ?? 'None'],
            ['Monthly budget', monthlyBudget === null ? 'None' : <Money usd={monthlyBudget} short />],
            ['Expires', <Time iso={expiresAt} />],
          ]}
        />
        {session.data === null ? (
          <SignInFirst of={opened.data} token={token} />
        ) : (
          <Accept of={opened.data} token={token} email={session.data.user.email} />
        )}
      </div>
    </EntryFrame>
  )
}

function SignInFirst({ of: { email, domain }, token }: { readonly of: Opened; readonly token: string }) {
  const next = `/invitation?token=${token}`
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted text-sm">
        {email === null
          ? domain === null
            ? 'Sign in or sign up to accept it.'
            : `Sign in or sign up with an address of ${domain} to accept it.`
          : `Sign in or sign up as ${email} to accept it.`}
      </p>
      <Link to="/sign-in" search={{ next }} className={buttonClass('primary', 'normal', 'w-full')}>
        Sign in
      </Link>
      <Link
        to="/sign-up"
        search={{ next, ...(email === null ? {} : { email }) }}
        className={buttonClass('plain', 'normal', 'w-full')}
      >
        Sign up
      </Link>
    </div>
  )
}

function Accept({ of: opened, token, email }: { readonly of: Opened; readonly token: string; readonly email: string }) {
  const router = useRouter()
  const accepting = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: async ({ slug }) => {
      await queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey })
      router.history.push(`/console/o/${slug}`)
    },
  })
  const isOther = opened.email !== null && opened.email !== email.toLowerCase()
  return (
    <div className="flex flex-col gap-3">
      {accepting.error === null ? null : <ErrorNote error={accepting.error} />}
      <p className="text-muted text-sm">
        You're signed in as <span className="font-medium text-ink">{email}</span>.
        {isOther ? ` This invitation is for ${opened.email}. Sign in with that address to accept it.` : ''}
      </p>
      {isOther ? (
        <Link
          to="/sign-in"
          search={{ next: `/invitation?token=${token}` }}
          className={buttonClass('primary', 'normal', 'w-full')}
        >
          Sign in with another account
        </Link>
      ) : (
        <Button kind="primary" isBusy={accepting.isPending} onClick={() => accepting.mutate()}>
          Accept invitation
        </Button>
      )}
    </div>
  )
}

function Home() {
  return (
    <Link to="/" className="font-medium text-accent-strong underline underline-offset-2">
      Go to the console
    </Link>
  )
}
