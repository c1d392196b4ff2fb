import { isOver } from '../../api/is-over.ts'
import type { Video } from '../../api/videos.ts'
import type { Wallet } from '../../app/wallet.ts'
import { VideoPlayer } from './video-player.tsx'

/** The result of a job: its videos, the reason for its failure, or its progress. */
export function VideoResult({ wallet, video }: { readonly wallet: Wallet; readonly video: Video }) {
  if (!isOver(video)) {
    return (
      <p className="text-muted text-sm">
        Videos take from 30 seconds to a few minutes. You can leave this page; generation continues.
      </p>
    )
  }
  if (video.status === 'failed') {
    return <p className="text-bad text-sm">{video.error ?? 'The provider returned no video.'} You weren't charged.</p>
  }
  return (video.unsigned_urls ?? []).map((url, index) => (
    <VideoPlayer key={url} wallet={wallet} jobId={video.id} index={index} />
  ))
}
