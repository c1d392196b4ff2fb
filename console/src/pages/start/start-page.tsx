import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { modelKindOf } from '../../api/inference-call.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeKeys } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { modelsQuery } from '../../api/models.ts'
import { CreateKeyDialog } from '../keys/create-key-dialog.tsx'
import { tools } from './tools.ts'

const route = getRouteApi('/app/start')

/** Setup for any tool in five lines, with base URL, key and model filled in. */
export function StartPage() {
  const { tool = 'curl' } = route.useSearch()
  const navigate = useNavigate()
  const wallet = useWallet()
  const [key, setKey] = useState('')
  const [isCreating, setCreating] = useState(false)
  const [typed, setModel] = useState('')
  const first = useFirstModel()
  const model = typed.trim() === '' ? first : typed.trim()
  const terms = { origin: location.origin, key: key.trim() === '' ? '$WEIR_KEY' : key.trim(), model }
  return (
    <Page
      title="Get started"
      description="Weir works with OpenAI and Anthropic clients. Most tools need only a base URL, an API key, and a model ID."
      actions={
        mayChangeKeys(wallet) ? (
          <Button kind="primary" onClick={() => setCreating(true)}>
            Create key and fill it in
          </Button>
        ) : undefined
      }
    >
      <Card className="mb-4">
        <div className="grid gap-4 md:grid-cols-3">
          <BaseUrl url={`${location.origin}/v1`} />
          <TextField
            label="API key"
            type="password"
            autoComplete="off"
            placeholder="sk-weir-…"
            hint="Added to the snippets below. It never leaves this page."
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <ModelField model={typed} first={first} onModel={setModel} />
        </div>
      </Card>
      <Card>
        <Tabs
          label="Tool"
          value={tools.some(({ id }) => id === tool) ? tool : 'curl'}
          onChange={(next) => void navigate({ to: '/start', search: { tool: next }, replace: true })}
          tabs={tools.map(({ id, label, place, lines }) => ({
            id,
            label,
            content: (
              <>
                <p className="mb-2 text-muted text-sm">{place}</p>
                <CodeBlock code={lines(terms)} />
              </>
            ),
          }))}
        />
      </Card>
      {isCreating ? <CreateKeyDialog wallet={wallet} onCreated={setKey} onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

function useFirstModel(): string {
  const { data } = useQuery(modelsQuery)
  const callable = (data?.data ?? []).filter(
    ({ available, architecture }) => available && modelKindOf(architecture.output_modalities) === 'chat',
  )
  const real = callable.find(({ id }) => !id.startsWith('test/'))
  return (real ?? callable[0])?.id ?? 'test/echo'
}

function BaseUrl({ url }: { readonly url: string }) {
  return (
    <div className="min-w-0">
      <div className="mb-1 font-medium text-sm">Base URL</div>
      <div className="flex h-9 items-center gap-1">
        <code className="truncate font-mono text-xs">{url}</code>
        <CopyButton text={url} label="Copy base URL" />
      </div>
    </div>
  )
}

interface ModelProps {
  readonly model: string
  readonly first: string
  readonly onModel: (id: string) => void
}

function ModelField({ model, first, onModel }: ModelProps) {
  const listId = useId()
  const { data } = useQuery(modelsQuery)
  return (
    <>
      <TextField
        label="Model"
        list={listId}
        autoComplete="off"
        placeholder={first}
        value={model}
        onChange={(event) => onModel(event.target.value)}
      />
      <datalist id={listId}>
        {(data?.data ?? [])
          .filter(({ available }) => available)
          .map(({ id }) => (
            <option key={id} value={id} />
          ))}
      </datalist>
    </>
  )
}
