import { findVendor } from './registry.ts'

/** Whether a vendor understands plugins, such as the one that searches the web. */
export function acceptsPlugins(slug: string): boolean {
  const vendor = findVendor(slug)
  return vendor?.protocol === 'openai' && vendor.openai.acceptsPlugins === true
}
