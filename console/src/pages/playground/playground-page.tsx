import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useWallet } from '../../app/wallet.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChatPanel } from './chat-panel.tsx'
import { MediaPanel } from './media-panel.tsx'
import { chatModelsMax } from './model-picker.tsx'
import { type PlaygroundKind, playgroundKinds } from './search.ts'

const route = getRouteApi('/app/playground')

const labels: Readonly<Record<PlaygroundKind, string>> = {
  chat: 'Chat',
  image: 'Images',
  speech: 'Speech',
  transcription: 'Transcription',
  embeddings: 'Embeddings',
  rerank: 'Rerank',
  video: 'Video',
}

/** Tries every kind of model and shows the cost of each response. */
export function PlaygroundPage() {
  const { kind = 'chat', models = '' } = route.useSearch()
  const navigate = useNavigate()
  const wallet = useWallet()
  const chosen = models
    .split(',')
    .filter((id) => id !== '')
    .slice(0, chatModelsMax)
  const choose = (next: { readonly kind: PlaygroundKind; readonly models: readonly string[] }) =>
    void navigate({
      to: '/playground',
      search: {
        ...(next.kind === 'chat' ? {} : { kind: next.kind }),
        ...(next.models.length === 0 ? {} : { models: next.models.join(',') }),
      },
      replace: true,
    })
  return (
    <Page
      title="Playground"
      description={`Requests are charged to the ${wallet.name} balance. Test models are free, except test/priced.`}
    >
      <Tabs
        label="Request type"
        value={kind}
        onChange={(next) => choose({ kind: playgroundKinds.find((name) => name === next) ?? 'chat', models: [] })}
        tabs={playgroundKinds.map((id) => ({
          id,
          label: labels[id],
          content:
            id === 'chat' ? (
              <ChatPanel models={chosen} onModels={(next) => choose({ kind: 'chat', models: next })} />
            ) : (
              <MediaPanel
                key={id}
                kind={id}
                model={chosen[0]}
                onModel={(model) => choose({ kind: id, models: [model] })}
              />
            ),
        }))}
      />
    </Page>
  )
}
