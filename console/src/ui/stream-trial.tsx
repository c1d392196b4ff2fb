import { Play } from 'lucide-react'
import { useState } from 'react'
import { streamChat } from '../api/stream-chat.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './error-note.tsx'

/**
 * Streams a response of a free test model with a key, to prove that the key works. `readKey` returns the secret on
 * demand.
 */
export function StreamTrial({
  readKey,
  label = 'Try it now',
}: {
  readonly readKey: () => Promise<string>
  readonly label?: string
}) {
  const [answer, setAnswer] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    setFailure(null)
    setAnswer('')
    try {
      const call = { key: await readKey(), model: 'test/echo', prompt: 'Water finds its way.' }
      for await (const piece of streamChat(call)) setAnswer((old) => (old ?? '') + piece)
    } catch (error) {
      setFailure(error)
    } finally {
      setRunning(false)
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<Play size={14} aria-hidden="true" />} isBusy={isRunning} onClick={() => void run()}>
          {label}
        </Button>
        <span className="text-muted text-xs">
          Streams a response from <code className="font-mono">test/echo</code>, a free test model.
        </span>
      </div>
      {failure === null ? null : <ErrorNote error={failure} />}
      {answer === null ? null : (
        <output
          aria-live="polite"
          className="block min-h-10 rounded-md border border-line bg-raised px-3 py-2 font-mono text-xs"
        >
          {answer}
        </output>
      )}
    </div>
  )
}
