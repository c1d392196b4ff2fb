import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { type InferenceCall, modelKindOf } from '../../api/inference-call.ts'
import { useWallet } from '../../app/wallet.ts'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type Model, modelsQuery } from '../../api/models.ts'
import { AnswerView } from './answer-view.tsx'
import { chatCall, noSettings, settingErrors, type Turn } from './chat-request.ts'
import { CodeDialog } from './code-dialog.tsx'
import { ModelPicker } from './model-picker.tsx'
import { PromptForm } from './prompt-form.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { useChat } from './use-chat.ts'

interface ChatProps {
  readonly models: readonly string[]
  readonly onModels: (models: readonly string[]) => void
}

/** One prompt to up to four models, with their responses side by side. */
export function ChatPanel({ models: chosen, onModels }: ChatProps) {
  const { organizationId } = useWallet()
  const chat = useChat(organizationId)
  const { data } = useQuery(modelsQuery)
  const models = chosen.length > 0 ? chosen : firstModel(data?.data ?? [])
  const [settings, setSettings] = useState(noSettings)
  const [shownCalls, setShownCalls] = useState<readonly InferenceCall[] | null>(null)
  const callsFor = (prompt: string, image: string | null) =>
    Object.fromEntries(
      models.map((model) => {
        const outputs = data?.data.find(({ id }) => id === model)?.architecture.output_modalities ?? []
        return [model, chatCall(model, chat.turns, { prompt, image }, settings, outputs.includes('image'))]
      }),
    )
  const isBlocked = models.length === 0 || Object.keys(settingErrors(settings)).length > 0
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
      <div className="flex min-w-0 flex-col gap-4">
        <ModelPicker models={models} onChange={onModels} />
        {chat.turns.length === 0 ? <Nothing /> : null}
        {chat.turns.map((turn) => (
          <TurnView key={turn.id} turn={turn} />
        ))}
        <PromptForm
          isRunning={chat.isRunning}
          isBlocked={isBlocked}
          onSend={(prompt, image) => void chat.ask({ prompt, image, calls: callsFor(prompt, image) })}
          onStop={chat.stop}
          onCode={(prompt, image) => setShownCalls(Object.values(callsFor(prompt, image)))}
        />
        {chat.turns.length === 0 || chat.isRunning ? null : (
          <Button kind="quiet" size="small" className="self-start" onClick={chat.clear}>
            Clear chat
          </Button>
        )}
      </div>
      <SettingsPanel settings={settings} onChange={setSettings} />
      {shownCalls === null ? null : <CodeDialog calls={shownCalls} onClose={() => setShownCalls(null)} />}
    </div>
  )
}

/** The default model: the free one that streams a paragraph, else the first available one. */
function firstModel(all: readonly Model[]): readonly string[] {
  const callable = all.filter(
    ({ available, architecture }) => available && modelKindOf(architecture.output_modalities) === 'chat',
  )
  const first = callable.find(({ id }) => id === 'test/text') ?? callable[0]
  return first === undefined ? [] : [first.id]
}

function Nothing() {
  return (
    <div className="rounded-lg border border-line border-dashed">
      <EmptyState icon={<MessagesSquare size={24} aria-hidden="true" />} title="Compare models side by side">
        Send one prompt to up to four models and compare tokens, cost, and time to first token. The playground uses a
        temporary API key that expires within an hour and can spend up to $1.
      </EmptyState>
    </div>
  )
}

const columns = ['', 'md:grid-cols-1', 'md:grid-cols-2', 'md:grid-cols-3', 'md:grid-cols-2 2xl:grid-cols-4']

function TurnView({ turn: { id, prompt, image, answers } }: { readonly turn: Turn }) {
  const asked = Object.entries(answers)
  return (
    <section aria-label={`Prompt ${id} and its responses`} className="flex flex-col gap-3">
      <div className="max-w-2xl self-end rounded-lg bg-accent-soft px-3 py-2 text-sm">
        {image === null ? null : <img src={image} alt="Attached image" className="mb-2 max-h-40 rounded" />}
        <p className="whitespace-pre-wrap break-words">{prompt}</p>
      </div>
      <div className={classNames('grid gap-3', columns[asked.length])}>
        {asked.map(([model, answer]) => (
          <AnswerView key={model} model={model} answer={answer} />
        ))}
      </div>
    </section>
  )
}
