import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callModel } from '../../api/call-model.ts'
import { parseExact } from '../../api/exact-json.ts'
import { useWallet } from '../../app/wallet.ts'
import type { ExactNumber } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toastError } from '../../ui/toast.tsx'

interface Job {
  readonly id: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed'
  readonly error?: string | null
  readonly usage?: { readonly cost?: ExactNumber } | null
}

const pollMs = 3_000
const tones = { pending: 'neutral', in_progress: 'accent', completed: 'good', failed: 'bad' } as const

/** A job of a video, asked for until it is over, and the film itself. */
export function VideoJob({ id }: { readonly id: string }) {
  const { organizationId: organization } = useWallet()
  const path = `/v1/videos/${encodeURIComponent(id)}`
  const job = useQuery({
    queryKey: ['playground-video', id],
    queryFn: async ({ signal }) => {
      const answer = await callModel({ method: 'GET', path, body: null }, { organization, signal })
      return parseExact(await answer.text()) as Job
    },
    refetchInterval: ({ state }) => (isOver(state.data) ? false : pollMs),
  })
  const film = useFilm(`${path}/content?index=0`, organization)
  if (job.error !== null) return <ErrorNote error={job.error} onRetry={() => void job.refetch()} />
  if (job.data === undefined) return <Skeleton className="h-40 w-full" />
  const { status, error, usage } = job.data
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="flex items-center gap-2">
        <Badge tone={tones[status]}>{status.replace('_', ' ')}</Badge>
        <code className="truncate font-mono text-xs">{id}</code>
      </p>
      {isOver(job.data) ? null : (
        <p className="text-muted">
          A video takes from half a minute to some minutes. The job is finished even if you leave.
        </p>
      )}
      {status === 'failed' ? (
        <p className="text-bad">{error ?? 'The provider made no video.'} Nothing was charged.</p>
      ) : null}
      {status === 'completed' && usage?.cost !== undefined ? <Money usd={usage.cost} className="font-medium" /> : null}
      {status !== 'completed' ? null : film.url === null ? (
        <Button className="self-start" isBusy={film.isLoading} onClick={film.load}>
          Show the film
        </Button>
      ) : (
        <video controls src={film.url} className="w-full rounded-md border border-line" aria-label="The film" />
      )}
    </div>
  )
}

function isOver(job: Job | undefined): boolean {
  return job?.status === 'completed' || job?.status === 'failed'
}

/** The bytes of a film are fetched with the key, so the page plays them from its memory. */
function useFilm(path: string, organization: string | null) {
  const [url, setUrl] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url])
  const load = async () => {
    setLoading(true)
    try {
      const answer = await callModel({ method: 'GET', path, body: null }, { organization })
      setUrl(URL.createObjectURL(await answer.blob()))
    } catch (error) {
      toastError(error)
    } finally {
      setLoading(false)
    }
  }
  return { url, isLoading, load: () => void load() }
}
