import { handleCopies } from '../session/copyText'
import type { TokenKeeper } from '../token/tokenKeeper'
import { trackUsage } from '../usage/usage'
import type { Addresses } from './location'

/** Begins what nobody waits for: copied text is tidied (R296), opened pages are counted (R303). Answers the end of it. */
export function beside(addresses: Addresses, tokens: TokenKeeper, gateway: string): () => void {
  const ends = [handleCopies(document), trackUsage(addresses, tokens, gateway)]
  return () => ends.forEach((end) => end())
}
