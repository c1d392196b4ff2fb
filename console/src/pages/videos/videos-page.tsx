import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { Clapperboard } from 'lucide-react'
import { useMemo } from 'react'
import { videosQuery } from '../../api/videos.ts'
import { useWallet } from '../../app/wallet.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { videoColumns } from './video-columns.tsx'
import { VideoFilters } from './video-filters.tsx'

const route = getRouteApi('/app/videos')

/** The jobs of videos, the newest first. */
export function VideosPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wallet = useWallet()
  const { model, status } = search
  const filter = { ...(model === undefined ? {} : { model }), ...(status === undefined ? {} : { status }) }
  const videos = useInfiniteQuery(videosQuery(wallet, filter))
  const rows = useMemo(() => videos.data?.pages.flatMap(({ data }) => data), [videos.data])
  const isNarrowed = model !== undefined || status !== undefined
  const order = (
    <Link to="/playground" search={{ kind: 'video' }} className={buttonClass('primary')}>
      Order a video
    </Link>
  )
  return (
    <Page
      title="Videos"
      description="Each order is a job, which is finished even when no client waits for it. Films are kept for some days."
      actions={order}
    >
      <DataTable
        name="videos"
        label="Videos"
        columns={videoColumns}
        rows={rows}
        rowId={({ id }) => id}
        error={videos.error}
        onRetry={() => void videos.refetch()}
        hasMore={videos.hasNextPage && !videos.isFetchingNextPage}
        onMore={() => void videos.fetchNextPage()}
        onOpen={({ id }) => void navigate({ to: '/videos/$jobId', params: { jobId: id }, search: true })}
        filters={<VideoFilters />}
        empty={
          isNarrowed ? (
            <EmptyState
              title="No video fits these filters"
              action={
                <Link to="/videos" className={buttonClass()}>
                  Show all videos
                </Link>
              }
            />
          ) : (
            <EmptyState icon={<Clapperboard size={24} aria-hidden="true" />} title="No videos yet" action={order}>
              A video takes from half a minute to some minutes. You pay for it once it is finished, and nothing if it
              fails.
            </EmptyState>
          )
        }
      />
      <Outlet />
    </Page>
  )
}
