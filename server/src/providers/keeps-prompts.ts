/**
 * Vendors that say of themselves that they keep no prompts once an answer is made, for every model and without being asked:
 * servers of the operator's own, and Fireworks (docs.fireworks.ai, "Zero data retention"). Several others say so of some models
 * or for some contracts only; an operator who has such a contract says so of the account.
 */
const forgetful: ReadonlySet<string> = new Set(['fireworks', 'llama-cpp', 'ollama', 'vllm'])

/** Whether a vendor may keep prompts, as far as anybody knows: who has said nothing does. */
export function keepsPrompts(vendor: string): boolean {
  return !forgetful.has(vendor)
}
