import { CopyButton } from '../../ui/copy-button.tsx'

/** A value to enter elsewhere, with its label. */
export function CopiedLine({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="min-w-0">
      <div className="text-muted text-xs">{label}</div>
      <div className="flex items-center gap-1">
        <code className="min-w-0 break-all font-mono text-xs">{text}</code>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
