import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { Clapperboard } from 'lucide-react'
import { videosQuery } from '../../api/videos.ts'
import { useWallet } from '../../app/wallet.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { videoColumns } from './video-columns.tsx'
import { useVideoFields } from './use-video-fields.ts'

const route = getRouteApi('/app/videos')

/** Video jobs, newest first. */
export function VideosPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wallet = useWallet()
  const { model, status } = search
  const filter = { ...(model === undefined ? {} : { model }), ...(status === undefined ? {} : { status }) }
  const videos = usePagedRows(useInfiniteQuery(videosQuery(wallet, filter)))
  const fields = useVideoFields()
  const order = (
    <Link to="/playground" search={{ kind: 'video' }} className={buttonClass('primary')}>
      Generate video
    </Link>
  )
  return (
    <Page
      title="Videos"
      description="Videos are generated in the background and kept for a limited time. Download the ones you need."
      actions={order}
    >
      <DataTable
        name="videos"
        label="Videos"
        columns={videoColumns}
        {...videos}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/videos/$jobId', params: { jobId: id }, search: true })}
        fields={fields}
        empty={
          <EmptyState icon={<Clapperboard size={24} aria-hidden="true" />} title="No videos yet" action={order}>
            Videos take from 30 seconds to a few minutes. You're charged only when a video completes.
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
