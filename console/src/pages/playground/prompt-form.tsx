import { ImagePlus, Square, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toastError } from '../../ui/toast.tsx'
import { readAsDataUri } from './read-file.ts'

interface PromptProps {
  readonly isRunning: boolean
  readonly isBlocked: boolean
  readonly onSend: (prompt: string, image: string | null) => void
  readonly onStop: () => void
  readonly onCode: (prompt: string, image: string | null) => void
}

/** The prompt input. Enter sends, Shift-Enter inserts a line break. */
export function PromptForm({ isRunning, isBlocked, onSend, onStop, onCode }: PromptProps) {
  const [prompt, setPrompt] = useState('')
  const [image, setImage] = useState<string | null>(null)
  const file = useRef<HTMLInputElement>(null)
  const canSend = prompt.trim() !== '' && !isRunning && !isBlocked
  const send = () => {
    if (!canSend) return
    onSend(prompt, image)
    setPrompt('')
    setImage(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const attach = (chosen: File | undefined) => {
    if (chosen !== undefined) readAsDataUri(chosen).then(setImage, toastError)
  }
  return (
    <div className="rounded-lg border border-line bg-surface p-3">
      {image === null ? null : <AttachedImage image={image} onRemove={() => setImage(null)} />}
      <TextArea
        label="Message"
        isLabelHidden
        placeholder="Message all selected models. Press Enter to send."
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <input
          ref={file}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          aria-label="Image file"
          className="hidden"
          onChange={(event) => attach(event.target.files?.[0])}
        />
        <Button
          kind="quiet"
          size="small"
          icon={<ImagePlus size={15} aria-hidden="true" />}
          onClick={() => file.current?.click()}
        >
          Attach image
        </Button>
        <Button kind="quiet" size="small" onClick={() => onCode(prompt === '' ? 'Hello there' : prompt, image)}>
          View code
        </Button>
        <span className="flex-1" />
        {isRunning ? (
          <Button icon={<Square size={14} aria-hidden="true" />} onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button kind="primary" disabled={!canSend} onClick={send}>
            Send
          </Button>
        )}
      </div>
    </div>
  )
}

function AttachedImage({ image, onRemove }: { image: string; onRemove: () => void }) {
  return (
    <div className="mb-2 flex items-start gap-1">
      <img src={image} alt="Attached image" className="max-h-24 rounded border border-line" />
      <IconButton label="Remove image" className="size-6" onClick={onRemove}>
        <X size={13} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
