import { isAborted, isTold, toFailure } from '../../../runtime/failure'
import { RequestError, type Host } from '../../../runtime/host'

/** Says why something was not done, unless it was given up on purpose or has been said already. */
export const tellFailure = (host: Host, error: unknown, sentence: (reason: string) => string): void => {
  if (isAborted(error) || isTold(error)) return
  if (!(error instanceof RequestError)) host.report(error, { where: 'management of access' })
  host.notify('error', sentence(toFailure(error, host.locale).message))
}
