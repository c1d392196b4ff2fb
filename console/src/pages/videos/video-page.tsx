import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isOver } from '../../api/is-over.ts'
import { type Video, videoQuery } from '../../api/videos.ts'
import { useWallet } from '../../app/wallet.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { VideoResult } from './video-result.tsx'
import { VideoState } from './video-state.tsx'
import { isoOf, lengthInWords } from './video-times.ts'
import { VideoWebhook } from './video-webhook.tsx'

/** One job, in a sheet over the list: its video, cost and webhook delivery. */
export function VideoPage() {
  const { jobId } = useParams({ from: '/app/videos/$jobId' })
  const navigate = useNavigate()
  const wallet = useWallet()
  const video = useQuery(videoQuery(wallet, jobId))
  const { data } = video
  return (
    <Sheet
      isOpen
      title="Video"
      description={
        <span className="flex items-center gap-1 font-mono text-xs">
          <span className="truncate">{jobId}</span>
          <CopyButton text={jobId} label="Copy video ID" />
        </span>
      }
      onClose={() => void navigate({ to: '/videos', search: true })}
      actions={data !== undefined && isOver(data) ? <ReceiptButton generationId={data.generation_id} /> : undefined}
    >
      {video.error === null ? null : <ErrorNote error={video.error} onRetry={() => void video.refetch()} />}
      {data === undefined ? (
        video.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-6">
          <Facts video={data} />
          <VideoResult wallet={wallet} video={data} />
          {isOver(data) ? <VideoWebhook wallet={wallet} jobId={jobId} /> : null}
        </div>
      )}
    </Sheet>
  )
}

function Facts({ video }: { readonly video: Video }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Status', <VideoState video={video} />],
    ['Model', <code className="font-mono text-xs">{video.model}</code>],
    ['Created', <Time iso={isoOf(video.created_at)} />],
    ['Generated in', lengthInWords(video)],
    ['Cost', isOver(video) ? <Money usd={video.usage?.cost ?? 0} className="font-medium" /> : 'Not charged yet'],
  ]
  return (
    <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="mt-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function ReceiptButton({ generationId }: { readonly generationId: string }) {
  return (
    <Link to="/requests/$requestId" params={{ requestId: generationId }} className={buttonClass()}>
      View receipt
    </Link>
  )
}
