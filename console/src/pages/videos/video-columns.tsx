import { Link } from '@tanstack/react-router'
import type { Video } from '../../api/videos.ts'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { videoCost } from './video-cost.ts'
import { isoOf, lengthInWords } from './video-times.ts'
import { VideoState, videoStateInWords } from './video-state.tsx'

export const videoColumns: readonly Column<Video>[] = [
  {
    id: 'ordered',
    header: 'Created',
    // A real link can be opened in a new tab, and screen readers find it.
    cell: ({ id, created_at }) => (
      <Link to="/videos/$jobId" params={{ jobId: id }} search={true} className="rounded hover:underline">
        <Time iso={isoOf(created_at)} />
      </Link>
    ),
    csv: ({ created_at }) => isoOf(created_at),
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'state',
    header: 'Status',
    cell: (video) => <VideoState video={video} />,
    csv: videoStateInWords,
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model }) => <span className="font-mono text-xs">{model}</span>,
    csv: ({ model }) => model,
    width: 240,
    onPhone: 'title',
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
    csv: ({ id }) => id,
    width: 320,
  },
  {
    id: 'took',
    header: 'Generated in',
    cell: (video) => lengthInWords(video),
    csv: (video) => lengthInWords(video),
    align: 'right',
    width: 100,
  },
  {
    id: 'cost',
    header: 'Cost (USD)',
    cell: (video) => <VideoCost video={video} />,
    csv: (video) => videoCost(video)?.csv ?? '',
    onPhone: 'figure',
    align: 'right',
    width: 140,
  },
]

function VideoCost({ video }: { readonly video: Video }) {
  const cost = videoCost(video)
  return cost === null ? '–' : <Money usd={cost.usd} />
}
