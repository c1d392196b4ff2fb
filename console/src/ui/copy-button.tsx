import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'

/** Copies a text and says so for a moment. */
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

/** A block of code with a button that copies it. */
export function CodeBlock({ code, label = 'Copy the code' }: { readonly code: string; readonly label?: string }) {
  return (
    <div className="relative rounded-md border border-line bg-raised">
      {/* A region that scrolls must be reachable with the keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 pr-10 font-mono text-xs leading-5">
        {code}
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={code} label={label} />
      </div>
    </div>
  )
}
