import { TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { type ChatSettings, settingErrors } from './chat-request.ts'

interface SettingsProps {
  readonly settings: ChatSettings
  readonly onChange: (settings: ChatSettings) => void
}

/** Settings for every model of the conversation, besides the messages. */
export function SettingsPanel({ settings, onChange }: SettingsProps) {
  const errors = settingErrors(settings)
  const input = (key: keyof ChatSettings) => ({
    value: settings[key],
    error: errors[key],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...settings, [key]: event.target.value }),
  })
  return (
    <Card title="Settings">
      <div className="flex flex-col gap-4">
        <TextArea label="System prompt" placeholder="You are a helpful assistant." {...input('system')} />
        <div className="grid grid-cols-2 gap-3">
          <TextField label="Temperature" inputMode="decimal" placeholder="Default" {...input('temperature')} />
          <TextField label="Max tokens" inputMode="numeric" placeholder="Default" {...input('maxTokens')} />
        </div>
        <TextArea
          label="Tools (JSON)"
          rows={5}
          spellCheck={false}
          className="font-mono text-xs"
          placeholder={'[{"type": "function", "function": {"name": "get_weather"}}]'}
          {...input('tools')}
        />
      </div>
    </Card>
  )
}
