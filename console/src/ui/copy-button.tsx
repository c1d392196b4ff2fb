import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { IconButton } from './button.tsx'

/** Copies a string and confirms it briefly. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <IconButton label={isCopied ? 'Copied' : label} className="size-6" onClick={() => void copy()}>
      {isCopied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
    </IconButton>
  )
}

/** A block of code with a copy button. `isWrapped` breaks long lines, for keys without spaces. */
export function CodeBlock({
  code,
  label = 'Copy code',
  isWrapped = false,
}: {
  readonly code: string
  readonly label?: string
  readonly isWrapped?: boolean
}) {
  return (
    <div className="flex min-w-0 items-start rounded-md border border-line bg-raised">
      {/* A region that scrolls must be reachable with the keyboard. */}
      <pre
        tabIndex={0}
        className={classNames(
          'min-w-0 flex-1 overflow-x-auto p-3 font-mono text-xs leading-5',
          isWrapped && 'whitespace-pre-wrap break-all',
        )}
      >
        {code}
      </pre>
      <div className="p-2">
        <CopyButton text={code} label={label} />
      </div>
    </div>
  )
}
