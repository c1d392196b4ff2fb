import type { JsonValue } from '#lib/json.ts'
import type { VendorSlug } from '#providers/registry.ts'
import type { Capability } from '../twin.ts'

/** A body built by one of our codecs, and its required type of an official SDK. */
export interface TypedBody {
  readonly provider: VendorSlug
  readonly capability: Capability
  readonly model: string
  /** The request, such as `top_k` or `image_to_video 16:9`. */
  readonly wish: string
  readonly type: SdkType
  readonly body: JsonValue
}

export interface SdkType {
  readonly sdk: string
  /** The import of the type's name, such as `import type Groq from 'groq-sdk'`. */
  readonly imported: string
  readonly name: string
}
