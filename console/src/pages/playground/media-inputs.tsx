import { useId } from 'react'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { toastError } from '../../ui/toast.tsx'
import type { Model } from '../../api/models.ts'
import type { MediaKind, MediaWish } from './media-request.ts'
import { readAsDataUri } from './read-file.ts'

interface InputProps {
  readonly kind: MediaKind
  readonly model: Model
  readonly wish: MediaWish
  readonly onChange: (wish: MediaWish) => void
}

const texts: Readonly<Record<MediaKind, readonly [string, string]>> = {
  image: ['Prompt', 'A fox in the snow'],
  speech: ['Text to speak', 'Good morning.'],
  transcription: ['Prompt (optional)', 'Names or terms in the audio'],
  embeddings: ['Texts (one per line)', 'water\nweir\nmountain'],
  rerank: ['Documents (one per line)', 'A weir in a river\nA mountain'],
  video: ['Prompt', 'A weir in the morning fog'],
}

const sizes = ['1024x1024', '1536x1024', '1024x1536', '512x512'].map((value) => ({
  value,
  label: value.replace('x', ' × '),
}))

export function MediaInputs({ kind, model, wish, onChange }: InputProps) {
  const [label, placeholder] = texts[kind]
  const change = (part: Partial<MediaWish>) => onChange({ ...wish, ...part })
  return (
    <>
      {kind === 'transcription' ? (
        <FileInput label="Audio file" accept="audio/*" onFile={(file) => change({ file })} />
      ) : null}
      {kind === 'rerank' ? (
        <TextField
          label="Query"
          placeholder="river"
          value={wish.query}
          onChange={(event) => change({ query: event.target.value })}
        />
      ) : null}
      <TextArea
        label={label}
        placeholder={placeholder}
        rows={4}
        value={wish.text}
        onChange={(event) => change({ text: event.target.value })}
      />
      {kind === 'image' ? (
        <>
          <SelectField
            label="Size"
            choices={sizes}
            value={wish.size}
            onChange={(event) => change({ size: event.target.value })}
          />
          {model.architecture.input_modalities.includes('image') ? (
            <FileInput label="Source image (optional)" accept="image/*" onFile={(file) => change({ file })} />
          ) : null}
        </>
      ) : null}
      {kind === 'speech' ? (
        <VoiceInput voices={model.supported_voices} voice={wish.voice} onVoice={(voice) => change({ voice })} />
      ) : null}
    </>
  )
}

function VoiceInput({
  voices,
  voice,
  onVoice,
}: {
  readonly voices: readonly string[] | null
  readonly voice: string
  readonly onVoice: (voice: string) => void
}) {
  if (voices === null) {
    return (
      <TextField
        label="Voice"
        hint="The provider's name for the voice."
        value={voice}
        onChange={(event) => onVoice(event.target.value)}
      />
    )
  }
  return (
    <SelectField
      label="Voice"
      choices={voices.map((value) => ({ value, label: value }))}
      value={voice}
      onChange={(event) => onVoice(event.target.value)}
    />
  )
}

function FileInput({
  label,
  accept,
  onFile,
}: {
  readonly label: string
  readonly accept: string
  readonly onFile: (file: MediaWish['file']) => void
}) {
  const id = useId()
  const read = (file: File | undefined) => {
    if (file === undefined) return onFile(null)
    const format = file.name.split('.').pop()?.toLowerCase() ?? ''
    readAsDataUri(file).then((uri) => onFile({ uri, format }), toastError)
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        onChange={(event) => read(event.target.files?.[0])}
        className="w-full text-muted text-sm file:mr-3 file:h-9 file:rounded-md file:border file:border-line file:border-solid file:bg-surface file:px-3 file:text-ink"
      />
    </div>
  )
}
