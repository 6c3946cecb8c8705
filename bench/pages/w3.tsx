import type { BenchPage } from '../hooks'

export const page: BenchPage = (root) => ({ mount: () => root.replaceChildren() })
