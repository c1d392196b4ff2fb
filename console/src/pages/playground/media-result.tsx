import { CopyButton } from '../../ui/copy-button.tsx'
import { Money } from '../../ui/money.tsx'
import { ReceiptLink } from './answer-view.tsx'
import type { MediaResult, RankedDocument } from './run-media.ts'
import { VectorTable } from './vector-table.tsx'
import { VideoJob } from './video-job.tsx'

/** The output, its cost and a link to its receipt. */
export function MediaResultView({ result }: { readonly result: MediaResult }) {
  return (
    <div className="flex flex-col gap-3">
      <Made made={result.made} />
      <div className="figures flex items-center gap-3 text-muted text-xs">
        {result.cost !== null ? (
          <Money usd={result.cost} className="font-medium text-ink" />
        ) : // A job states its cost itself, once it is over.
        result.made.kind === 'video' ? null : (
          <span>The receipt shows the cost.</span>
        )}
        {result.generationId === null ? null : <ReceiptLink generationId={result.generationId} />}
      </div>
    </div>
  )
}

function Made({ made }: { readonly made: MediaResult['made'] }) {
  switch (made.kind) {
    case 'image':
      return made.urls.map((url) => (
        <img key={url} src={pathOf(url)} alt="Generated image" className="max-w-full rounded-md border border-line" />
      ))
    case 'speech':
      return (
        <div>
          <audio controls src={made.url} className="w-full" aria-label="Generated speech" />
          <p className="figures mt-1 text-muted text-xs">{Math.ceil(made.bytes / 1_000).toLocaleString('en')} KB</p>
        </div>
      )
    case 'transcription':
      return (
        <div className="flex items-start gap-2">
          <p className="min-w-0 flex-1 whitespace-pre-wrap break-words text-sm">{made.text}</p>
          <CopyButton text={made.text} label="Copy transcript" />
        </div>
      )
    case 'embeddings':
      return <VectorTable vectors={made.vectors} />
    case 'rerank':
      return <RankedDocuments documents={made.documents} />
    case 'video':
      return <VideoJob id={made.jobId} />
  }
}

function RankedDocuments({ documents }: { readonly documents: readonly RankedDocument[] }) {
  return (
    <ol className="flex flex-col gap-2 text-sm" aria-label="Ranked documents">
      {documents.map(({ index, score, text }) => (
        <li key={index} className="flex items-start gap-3">
          <span className="figures text-muted">{score.toFixed(3)}</span>
          <span className="min-w-0 flex-1 whitespace-pre-wrap break-words">{text}</span>
        </li>
      ))}
    </ol>
  )
}

// Links in responses use the gateway's public URL; the page requests its own origin only.
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
