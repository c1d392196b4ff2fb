import { Download } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { filmLink, findFilmProblem } from '../../api/videos.ts'
import type { Wallet } from '../../app/wallet.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'

/** A video in a player, or the reason why it cannot be played. */
export function VideoPlayer({
  wallet,
  jobId,
  index,
}: {
  readonly wallet: Wallet
  readonly jobId: string
  readonly index: number
}) {
  const [problem, setProblem] = useState<Error | null>(null)
  const url = filmLink(wallet, jobId, index)
  return (
    <figure>
      {problem === null ? (
        <video
          controls
          preload="metadata"
          src={url}
          onError={() => void findFilmProblem(url).then(setProblem)}
          className="aspect-video w-full rounded-md border border-line bg-black"
          aria-label={index === 0 ? 'Video' : `Video ${index + 1}`}
        />
      ) : (
        <ErrorNote error={problem} />
      )}
      {problem instanceof ApiError ? null : (
        <figcaption className="mt-2">
          <a href={url} download={`${jobId}-${index}.mp4`} className={buttonClass('plain', 'small')}>
            <Download size={14} aria-hidden="true" />
            Download
          </a>
        </figcaption>
      )}
    </figure>
  )
}
