import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Square } from 'lucide-react'
import { useRef, useState } from 'react'
import { modelKindOf } from '../../api/inference-call.ts'
import { useWallet } from '../../app/wallet.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { modelsQuery } from '../../api/models.ts'
import { CodeDialog } from './code-dialog.tsx'
import { MediaInputs } from './media-inputs.tsx'
import { mediaCall, type MediaKind, noWish } from './media-request.ts'
import { MediaResultView } from './media-result.tsx'
import { namePlaces } from './name-places.ts'
import { runMedia } from './run-media.ts'

interface MediaProps {
  readonly kind: MediaKind
  readonly model: string | undefined
  readonly onModel: (id: string) => void
}

const verbs: Readonly<Record<MediaKind, string>> = {
  image: 'Generate image',
  speech: 'Generate speech',
  transcription: 'Transcribe',
  embeddings: 'Create embeddings',
  rerank: 'Rank documents',
  video: 'Generate video',
}

/** One model with non-text output: its inputs and the result. */
export function MediaPanel({ kind, model, onModel }: MediaProps) {
  const { organizationId } = useWallet()
  const { data, isPending } = useQuery(modelsQuery)
  const [wish, setWish] = useState(noWish)
  const [isCodeShown, setCodeShown] = useState(false)
  const controller = useRef(new AbortController())
  const models = (data?.data ?? []).filter(
    ({ available, architecture }) => available && modelKindOf(architecture.output_modalities) === kind,
  )
  const chosen = models.find(({ id }) => id === model) ?? models[0]
  const voice = wish.voice === '' ? (chosen?.supported_voices?.[0] ?? '') : wish.voice
  const call = chosen === undefined ? undefined : mediaCall(kind, chosen.id, { ...wish, voice })
  const run = useMutation({
    mutationFn: () => {
      if (call === undefined) throw new Error('Fill in all required fields.')
      controller.current = new AbortController()
      return runMedia(kind, call, { organization: organizationId, signal: controller.current.signal })
    },
    gcTime: 0,
  })
  if (isPending) return <Skeleton className="h-64 w-full" />
  if (chosen === undefined) return <NoModel kind={kind} />
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Input">
        <div className="flex flex-col gap-4">
          <SelectField
            label="Model"
            choices={models.map(({ id }) => ({ value: id, label: id }))}
            value={chosen.id}
            onChange={(event) => onModel(event.target.value)}
          />
          <MediaInputs kind={kind} model={chosen} wish={{ ...wish, voice }} onChange={setWish} />
          <div className="flex justify-end gap-2">
            <Button kind="quiet" disabled={call === undefined} onClick={() => setCodeShown(true)}>
              View code
            </Button>
            {run.isPending ? (
              <Button icon={<Square size={14} aria-hidden="true" />} onClick={() => controller.current.abort()}>
                Stop
              </Button>
            ) : (
              <Button kind="primary" disabled={call === undefined} onClick={() => run.mutate()}>
                {verbs[kind]}
              </Button>
            )}
          </div>
        </div>
      </Card>
      <Card title="Result">
        <Outcome run={run} />
      </Card>
      {isCodeShown && call !== undefined ? <CodeDialog calls={[call]} onClose={() => setCodeShown(false)} /> : null}
    </div>
  )
}

function Outcome({
  run,
}: {
  readonly run: ReturnType<typeof useMutation<Awaited<ReturnType<typeof runMedia>>, Error, void>>
}) {
  if (run.isPending) return <Skeleton className="h-40 w-full" />
  if (run.error?.name === 'AbortError')
    return <p className="text-muted text-sm">Stopped. Requests you stop before they finish aren't charged.</p>
  if (run.error !== null) return <ErrorNote error={namePlaces(run.error)} />
  if (run.data === undefined) return <p className="text-muted text-sm">The result will appear here.</p>
  return <MediaResultView result={run.data} />
}

function NoModel({ kind }: { readonly kind: MediaKind }) {
  return (
    <EmptyState
      title="No models available"
      action={
        <Link to="/models" search={{ makes: kind }} className={buttonClass('primary')}>
          View models
        </Link>
      }
    >
      Ask the gateway operator to add a provider account or enable test models.
    </EmptyState>
  )
}
