import { provideSeldom } from '../../schema/expression'
import { loadPart } from '../part/loadPart'

/** Loads what a page's expressions call that few do (`lacksSeldom`). */
export const loadSeldom = async (): Promise<void> =>
  provideSeldom((await loadPart(() => import('../../schema/expression/functions/seldom'))).SELDOM)
