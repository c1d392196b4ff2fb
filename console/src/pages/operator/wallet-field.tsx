import { type FormEvent, useState } from 'react'
import { TextField } from '../../ui/field.tsx'

/** Selects a wallet by any of its identifiers. Enter applies it, so partial input is never sent. */
export function WalletField({
  wallet,
  onChange,
}: {
  readonly wallet: string
  readonly onChange: (wallet: string) => void
}) {
  const [text, setText] = useState(wallet)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(text.trim())
  }
  return (
    <form className="w-full sm:w-80" onSubmit={submit}>
      <TextField
        label="Account"
        isLabelHidden
        type="search"
        placeholder="Account ID, email, or organization slug"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </form>
  )
}
