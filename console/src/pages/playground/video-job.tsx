import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { videoQuery } from '../../api/videos.ts'
import { useWallet } from '../../app/wallet.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VideoResult } from '../videos/video-result.tsx'
import { VideoState } from '../videos/video-state.tsx'

/** A video job, polled until it is finished, and its video. */
export function VideoJob({ id }: { readonly id: string }) {
  const wallet = useWallet()
  const job = useQuery(videoQuery(wallet, id))
  if (job.error !== null) return <ErrorNote error={job.error} onRetry={() => void job.refetch()} />
  if (job.data === undefined) return <Skeleton className="h-40 w-full" />
  const { status, usage } = job.data
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="flex items-center gap-2">
        <VideoState video={job.data} />
        <Link
          to="/videos/$jobId"
          params={{ jobId: id }}
          className="truncate font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
        >
          {id}
        </Link>
      </p>
      <VideoResult wallet={wallet} video={job.data} />
      {status === 'completed' && usage?.cost !== undefined ? <Money usd={usage.cost} className="font-medium" /> : null}
    </div>
  )
}
